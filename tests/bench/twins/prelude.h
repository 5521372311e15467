// What translated kernels are written in: arrays without a sign in their indices, tuples, and numba's whole numbers.
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#define INLINED inline __attribute__((always_inline))

template <class T, int N> struct Array {
    T *data;
    int64_t shape[N];
    INLINED operator Array<const T, N>() const {
        Array<const T, N> same{data, {}};
        for (int i = 0; i < N; ++i) same.shape[i] = shape[i];
        return same;
    }
    INLINED T *begin() const { return data; }
    INLINED T *end() const { return data + shape[0]; }
};

template <class T> INLINED T &at(const Array<T, 1> &a, uint64_t i) { return a.data[i]; }
template <class T> INLINED T &at(const Array<T, 2> &a, uint64_t i, uint64_t k) { return a.data[i * a.shape[1] + k]; }

// As numba reckons, whole numbers of fewer than 64 bits become int64 as soon as they are read.
template <class T> INLINED auto read(T x) {
    constexpr bool is_small = std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) < 8;
    if constexpr (is_small) return int64_t(x);
    else return x;
}

template <class T, class V> INLINED void fill(const Array<T, 1> &a, V value) {
    for (T &word : a) word = value;
}

template <class... T> INLINED std::tuple<T...> pack(T... parts) { return {parts...}; }
template <class T> INLINED auto pick(const T &tuple, uint64_t i) {
    return std::apply([i](auto... parts) {
        const std::common_type_t<decltype(parts)...> all[] = {parts...};
        return all[i];
    }, tuple);
}

template <class A, class B, class... More> INLINED auto least(A a, B b, More... more) {
    const std::common_type_t<A, B> x = a, y = b;
    if constexpr (sizeof...(more) > 0) return least(y < x ? y : x, more...);
    else return y < x ? y : x;
}
template <class A, class B, class... More> INLINED auto most(A a, B b, More... more) {
    const std::common_type_t<A, B> x = a, y = b;
    if constexpr (sizeof...(more) > 0) return most(y > x ? y : x, more...);
    else return y > x ? y : x;
}
template <class T, class... U> INLINED bool is_one_of(T x, U... others) { return ((x == others) || ...); }
template <class T> INLINED T magnitude(T x) { return x < 0 ? -x : x; }

INLINED int64_t popcount(uint64_t x) { return __builtin_popcountll(x); }
INLINED int64_t lowest_bit(uint64_t x) { return __builtin_ctzll(x); }
