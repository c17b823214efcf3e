// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0

import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdOutputStream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Frames of aircompressor for `make interop-zstd`: Encoder IN OUT. Both formats: ../README.md. */
public final class Encoder
{
    private static final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private static void record(int item, String settings, byte[] frame)
            throws IOException
    {
        ByteBuffer head = ByteBuffer.allocate(10 + settings.length()).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(item).putShort((short) settings.length()).put(settings.getBytes(StandardCharsets.US_ASCII)).putInt(frame.length);
        out.write(head.array());
        out.write(frame);
    }

    public static void main(String[] words)
            throws IOException
    {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(Path.of(words[0]))).order(ByteOrder.LITTLE_ENDIAN);
        for (int item = 0; in.hasRemaining(); item++) {
            byte[] data = new byte[in.getInt()];
            in.get(data);

            ZstdCompressor compressor = new ZstdCompressor();
            byte[] frame = new byte[compressor.maxCompressedLength(data.length)];
            int size = compressor.compress(data, 0, data.length, frame, 0, frame.length);
            record(item, "one shot", Arrays.copyOf(frame, size));

            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            try (ZstdOutputStream writer = new ZstdOutputStream(stream)) {
                for (int at = 0; at < data.length; at += 999) {
                    writer.write(data, at, Math.min(999, data.length - at));
                }
            }
            record(item, "stream", stream.toByteArray());
        }
        Files.write(Path.of(words[1]), out.toByteArray());
    }
}
