// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0

// Frames of klauspost/compress for `make interop-zstd`: main IN OUT. Both formats: ../README.md.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"github.com/klauspost/compress/zstd"
)

var out bytes.Buffer

func record(item int, settings string, frame []byte) {
	binary.Write(&out, binary.LittleEndian, uint32(item))
	binary.Write(&out, binary.LittleEndian, uint16(len(settings)))
	out.WriteString(settings)
	binary.Write(&out, binary.LittleEndian, uint32(len(frame)))
	out.Write(frame)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type way struct {
	name    string
	options []zstd.EOption
}

func level(l zstd.EncoderLevel) zstd.EOption { return zstd.WithEncoderLevel(l) }

var ways = []way{
	{"fastest", []zstd.EOption{level(zstd.SpeedFastest)}},
	{"default", []zstd.EOption{level(zstd.SpeedDefault)}},
	{"better", []zstd.EOption{level(zstd.SpeedBetterCompression)}},
	{"best", []zstd.EOption{level(zstd.SpeedBestCompression)}},
	{"fastest, window 1 KiB, no checksum", []zstd.EOption{level(zstd.SpeedFastest), zstd.WithWindowSize(1 << 10), zstd.WithEncoderCRC(false)}},
	{"best, window 4 KiB", []zstd.EOption{level(zstd.SpeedBestCompression), zstd.WithWindowSize(4 << 10)}},
	{"default, one segment", []zstd.EOption{zstd.WithSingleSegment(true)}},
	{"better, all literals coded", []zstd.EOption{level(zstd.SpeedBetterCompression), zstd.WithAllLitEntropyCompression(true)}},
	{"default, no entropy coding", []zstd.EOption{zstd.WithNoEntropyCompression(true)}},
	{"default, padded to 512", []zstd.EOption{zstd.WithEncoderPadding(512)}},
}

func main() {
	in, err := os.ReadFile(os.Args[1])
	check(err)
	for item := 0; len(in) > 0; item++ {
		n := binary.LittleEndian.Uint32(in)
		data := in[4 : 4+n]
		in = in[4+n:]
		for _, w := range ways {
			e, err := zstd.NewWriter(nil, append(w.options, zstd.WithEncoderConcurrency(1))...)
			check(err)
			record(item, w.name, e.EncodeAll(data, nil))
		}
		// A stream that is flushed, then a second frame behind it.
		var stream bytes.Buffer
		e, err := zstd.NewWriter(&stream, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(8<<10))
		check(err)
		half := len(data) / 2
		for at := 0; at < half; at += 700 {
			end := min(at+700, half)
			_, err = e.Write(data[at:end])
			check(err)
			check(e.Flush())
		}
		check(e.Close())
		e.Reset(&stream)
		_, err = e.Write(data[half:])
		check(err)
		check(e.Close())
		record(item, "stream, flushed each 700 bytes, two frames", stream.Bytes())
	}
	check(os.WriteFile(os.Args[2], out.Bytes(), 0o644))
}
