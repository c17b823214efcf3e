/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet.h for C++17: typed selections, results, and ranges over datasets and runs. Every function is inline and calls
 * the function of utet.h that its comment names. A program takes as much flash as the same program in C; only a result
 * that is returned, instead of stored in an argument, costs a few bytes. The header needs neither exceptions nor
 * run-time type information, and allocates nothing.
 *
 * The objects derive from those of utet.h: their fields are public, and each call of the other headers takes them. An
 * object stays where it is while it is used, so most of them cannot be copied.
 *
 * Calls that return a result, and ranges, are for ports that never return UTET_WOULD_BLOCK. With a port that waits, use
 * the calls that store their answer in an argument and return a status: repeat them with the same arguments.
 */
#ifndef UTET_HPP
#define UTET_HPP

#include "utet.h"

#include <string.h>

namespace utet
{

/* ---- statuses and results ------------------------------------------------------- */

/* A status of utet_io.h. [[nodiscard]] makes the compiler warn if a returned status is ignored. */
class [[nodiscard]] status
{
  public:
    constexpr status(utet_status code = UTET_OK) : code_(code)
    {
    }
    constexpr utet_status code() const
    {
        return code_;
    }
    constexpr bool ok() const
    {
        return code_ == UTET_OK;
    }
    constexpr bool end() const
    {
        return code_ == UTET_END;
    }
    constexpr bool would_block() const
    {
        return code_ == UTET_WOULD_BLOCK;
    }
    constexpr bool failed() const
    {
        return UTET_IS_ERROR(code_);
    }
    constexpr explicit operator bool() const
    {
        return ok();
    }
    const char *text() const
    {
        return utet_strerror(code_);
    }

  private:
    utet_status code_;
};

/* A value, or the status that says why there is none. Use the value only if the result is true. */
template <class T> class [[nodiscard]] result
{
  public:
    /* Calls fill(value), which stores the value and returns its status. */
    template <class Fill> explicit result(Fill &&fill)
    {
        status_ = fill(value_);
    }
    explicit operator bool() const
    {
        return status_.ok();
    }
    utet::status status() const
    {
        return status_;
    }
    T &operator*()
    {
        return value_;
    }
    const T &operator*() const
    {
        return value_;
    }
    T *operator->()
    {
        return &value_;
    }
    const T *operator->() const
    {
        return &value_;
    }

  private:
    utet::status status_;
    T value_;
};

/* ---- memory ---------------------------------------------------------------------- */

/* An address and the number of elements there. */
template <class T> class span
{
  public:
    constexpr span(T *data, size_t size) : data_(data), size_(size)
    {
    }
    template <size_t N> constexpr span(T (&array)[N]) : data_(array), size_(N)
    {
    }
    constexpr T *data() const
    {
        return data_;
    }
    constexpr size_t size() const
    {
        return size_;
    }
    constexpr size_t bytes() const
    {
        return size_ * sizeof(T);
    }
    constexpr T *begin() const
    {
        return data_;
    }
    constexpr T *end() const
    {
        return data_ + size_;
    }
    constexpr T &operator[](size_t index) const
    {
        return data_[index];
    }

  private:
    T *data_;
    size_t size_;
};

/* An element of float16, which C++17 has no type for. */
struct half {
    uint16_t bits;
};

/* dtype_of<T>: the dtype tag of elements of type T. */
template <class T> constexpr uint32_t dtype_of = 0;
template <> constexpr uint32_t dtype_of<float> = UTET_F32;
template <> constexpr uint32_t dtype_of<double> = UTET_F64;
template <> constexpr uint32_t dtype_of<int32_t> = UTET_I32;
template <> constexpr uint32_t dtype_of<int64_t> = UTET_I64;
template <> constexpr uint32_t dtype_of<uint8_t> = UTET_U8;
template <> constexpr uint32_t dtype_of<uint16_t> = UTET_U16;
template <> constexpr uint32_t dtype_of<int16_t> = UTET_I16;
template <> constexpr uint32_t dtype_of<uint32_t> = UTET_U32;
template <> constexpr uint32_t dtype_of<half> = UTET_F16;
template <> constexpr uint32_t dtype_of<uint64_t> = UTET_U64;

/* ---- ports ----------------------------------------------------------------------- */

/* Sets the fields of a port for a file of `size` bytes in addressable memory. All fields of `io` must be 0 before. */
inline void in_memory(utet_io &io, const uint8_t *data, uint64_t size)
{
    io.map = data;
    io.size = size;
    io.unit = io.align = 1;
}

/*
 * Sets the fields of a port so that it calls medium.read(offset, destination, got): `destination` is a span<uint8_t>,
 * `got` a size_t &, and the result a status, with the conditions of utet_io.read. All fields of `io` must be 0 before.
 * `medium` must outlive the port. size, unit and align: see utet_io.
 */
template <class Medium>
void read_from(utet_io &io, Medium &medium, uint64_t size, uint16_t unit = 1, uint16_t align = 1)
{
    io.ctx = &medium;
    io.read = [](void *ctx, uint64_t offset, void *to, size_t length, size_t *got) -> utet_status {
        const utet::status answer =
            static_cast<Medium *>(ctx)->read(offset, span<uint8_t>(static_cast<uint8_t *>(to), length), *got);
        return answer.code();
    };
    io.size = size;
    io.unit = unit;
    io.align = align;
}

/* ---- files, datasets and chunks -------------------------------------------------- */

struct chunk : utet_chunk {
};

struct dataset : utet_dataset {
    /* Returns true if the elements have type T. */
    template <class T> bool holds() const
    {
        return dtype == dtype_of<T>;
    }
};

/* The end of a range that reads one object after another. */
struct range_end {
};

/* Reads one object after another into `object` until a call does not return UTET_OK; `answer` is that call's status. */
template <class Owner, class Plain, class Object, utet_status (*First)(Owner *, Plain *),
          utet_status (*Next)(Owner *, Plain *)>
class read_range
{
  public:
    class iterator
    {
      public:
        iterator(Owner &owner, Object &object, status &answer) : owner_(owner), object_(object), answer_(answer)
        {
        }
        Object &operator*() const
        {
            return object_;
        }
        void operator++()
        {
            answer_ = Next(&owner_, &object_);
        }
        bool operator!=(range_end) const
        {
            return answer_.ok();
        }

      private:
        Owner &owner_;
        Object &object_;
        status &answer_;
    };
    read_range(Owner &owner, Object &object, status &answer) : owner_(owner), object_(object), answer_(answer)
    {
    }
    iterator begin() const
    {
        answer_ = First(&owner_, &object_);
        return iterator(owner_, object_, answer_);
    }
    range_end end() const
    {
        return {};
    }

  private:
    Owner &owner_;
    Object &object_;
    status &answer_;
};

class file : public utet_file
{
  public:
    file() = default;
    file(const file &) = delete;
    file &operator=(const file &) = delete;

    /* utet_init */
    status init(const utet_io &io, span<uint8_t> work, const utet_codec *const *list = nullptr)
    {
        return utet_init(this, &io, work.data(), work.size(), list);
    }
    /* utet_init without a workspace: raw chunks of a file in memory */
    status init(const utet_io &io)
    {
        return utet_init(this, &io, nullptr, 0, nullptr);
    }
    /* utet_open */
    status open(const utet_options *options = nullptr)
    {
        return utet_open(this, options);
    }
    /* utet_cancel */
    void cancel()
    {
        static_cast<void>(utet_cancel(this));
    }

    /* utet_dataset_find */
    status find(span<const char> name, dataset &to)
    {
        return utet_dataset_find(this, name.data(), name.size(), &to);
    }
    /* The same for a literal, such as "temperature". */
    template <size_t N> status find(const char (&name)[N], dataset &to)
    {
        return utet_dataset_find(this, name, N - 1, &to);
    }
    template <size_t N> result<dataset> find(const char (&name)[N])
    {
        return result<dataset>([&](dataset &to) { return utet_dataset_find(this, name, N - 1, &to); });
    }
    /* utet_dataset_name: to.size() bytes of the name, starting at byte `from`. */
    status name(const dataset &of, span<char> to, uint32_t from = 0)
    {
        return utet_dataset_name(this, &of, from, to.data(), to.size());
    }
    /* utet_dataset_first, utet_dataset_next: for (const utet::dataset &each : file.datasets(data, status)). Each record
     * is read into `data`; the status after the last one is UTET_END. */
    auto datasets(dataset &data, status &answer)
    {
        return read_range<utet_file, utet_dataset, dataset, utet_dataset_first, utet_dataset_next>(*this, data, answer);
    }

    /* utet_chunk_find; coords: one for each axis, in chunks, otherwise UTET_E_RANGE. */
    status find(const dataset &of, span<const uint64_t> coords, chunk &to)
    {
        return coords.size() == of.ndim ? utet_chunk_find(this, &of, coords.data(), &to) : UTET_E_RANGE;
    }
};

/* ---- streams --------------------------------------------------------------------- */

class stream : public utet_stream
{
  public:
    stream() = default;
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;

    /* utet_stream_open */
    status open(file &from, const chunk &of)
    {
        return utet_stream_open(this, &from, &of);
    }
    /* utet_stream_read */
    status read(span<uint8_t> to, size_t &got)
    {
        return utet_stream_read(this, to.data(), to.size(), &got);
    }
    result<size_t> read(span<uint8_t> to)
    {
        return result<size_t>([&](size_t &got) { return utet_stream_read(this, to.data(), to.size(), &got); });
    }
    /* utet_stream_skip */
    status skip(uint64_t count)
    {
        return utet_stream_skip(this, count);
    }
};

/* ---- slabs ----------------------------------------------------------------------- */

/* Elements of a selection at equal distances in memory; valid until the next call on the file. */
template <class T> class run : public utet_run
{
  public:
    size_t size() const
    {
        return count;
    }
    /* The element in the machine's byte order; data may be unaligned. */
    T operator[](size_t index) const
    {
        T element;
        memcpy(&element, data + index * stride, sizeof element);
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        utet_to_native(&element, 1, sizeof element);
#endif
        return element;
    }
    class iterator
    {
      public:
        iterator(const run &of, size_t index) : run_(of), index_(index)
        {
        }
        T operator*() const
        {
            return run_[index_];
        }
        void operator++()
        {
            index_++;
        }
        bool operator!=(const iterator &other) const
        {
            return index_ != other.index_;
        }

      private:
        const run &run_;
        size_t index_;
    };
    iterator begin() const
    {
        return iterator(*this, 0);
    }
    iterator end() const
    {
        return iterator(*this, count);
    }
};

/* A selection of elements of type T. */
template <class T> class slab : public utet_slab
{
    static_assert(dtype_of<T> != 0, "no dataset has elements of this type");

  public:
    slab() = default;
    slab(const slab &) = delete;
    slab &operator=(const slab &) = delete;

    /* utet_slab_open; ranges: one for each axis of the dataset, otherwise UTET_E_RANGE. UTET_E_DTYPE: the elements have
     * a type other than T. */
    status open(file &from, const dataset &of, span<const utet_range> ranges)
    {
        if (!of.holds<T>())
            return UTET_E_DTYPE;
        return ranges.size() == of.ndim ? utet_slab_open(this, &from, &of, ranges.data()) : UTET_E_RANGE;
    }
    /* utet_slab_move; ranges: one for each axis of the dataset, otherwise UTET_E_RANGE */
    status move(span<const utet_range> ranges)
    {
        if (priv.dataset == nullptr)
            return UTET_E_STATE;
        return ranges.size() == priv.dataset->ndim ? utet_slab_move(this, ranges.data()) : UTET_E_RANGE;
    }
    /* utet_slab_read_all, in the machine's byte order */
    status read_all(span<T> to)
    {
        const utet_status answer = utet_slab_read_all(this, to.data(), to.bytes());
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        if (answer == UTET_OK)
            utet_to_native(to.data(), static_cast<size_t>(count), sizeof(T));
#endif
        return answer;
    }
    /* utet_slab_next */
    status next(run<T> &to)
    {
        return utet_slab_next(this, &to);
    }
    /* utet_slab_next: for (const utet::run<float> &each : slab.runs(run, status)). Each run is stored in `to`; the
     * status after the last one is UTET_END. */
    auto runs(run<T> &to, status &answer)
    {
        return read_range<utet_slab, utet_run, run<T>, utet_slab_next, utet_slab_next>(*this, to, answer);
    }
};

/* ---- tiles that stay decoded ------------------------------------------------------ */

/* Decoded chunks of a dataset with elements of type T. */
template <class T> class tiles : public utet_tiles
{
    static_assert(dtype_of<T> != 0, "no dataset has elements of this type");

  public:
    tiles() : utet_tiles()
    {
    }
    tiles(const tiles &) = delete;
    tiles &operator=(const tiles &) = delete;

    /* utet_tiles_init. UTET_E_DTYPE: the elements have a type other than T. */
    status init(file &from, const dataset &of, size_t number)
    {
        return of.holds<T>() ? utet_tiles_init(this, &from, &of, number) : UTET_E_DTYPE;
    }
    /* utet_tiles_read, in the machine's byte order; ranges: one for each axis of the dataset, otherwise UTET_E_RANGE.
     * `to` has as many elements as the selection. */
    status read(span<const utet_range> ranges, span<T> to)
    {
        if (priv.dataset == nullptr)
            return UTET_E_STATE;
        if (ranges.size() != priv.dataset->ndim)
            return UTET_E_RANGE;
        const utet_status answer = utet_tiles_read(this, ranges.data(), to.data(), to.bytes());
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        if (answer == UTET_OK)
            utet_to_native(to.data(), to.size(), sizeof(T));
#endif
        return answer;
    }
};

} // namespace utet

#endif
