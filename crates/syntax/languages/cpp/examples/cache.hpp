// A cache that forgets what was used least recently.
#ifndef SHOP_CACHE_HPP
#define SHOP_CACHE_HPP

#include <list>
#include "shop/clock.hpp"

#define SHOP_INLINE inline
/// Stops the program if a condition does not hold.
#define SHOP_CHECK(condition) \
    do { if (!(condition)) std::abort(); } while (0)

namespace shop::cache {

using std::string;
using namespace std::literals;
using namespace shop;
namespace fs = std::filesystem;
namespace parts = detail;
using Key = std::uint64_t;
template <typename T>
using Ref = std::shared_ptr<T>;
typedef void (*Listener)(Key key);

/// How many entries there are at most.
constexpr int kLimit = 128;
const char* const kNames[] = {"small", "large"};
template <typename T>
inline constexpr bool is_small = sizeof(T) < 16;

/// What can be a key.
template <typename T>
concept Hashable = requires(T t) { std::hash<T>{}(t); };

enum class Policy : int { Lru, Fifo };

enum { kOne, kTwo };

/// Forgets the oldest.
template <Hashable K, class V>
class Cache final : public Base<K>, private detail::Store {
public:
    enum State { Open, Closed };

    struct Entry {
        K key;
        V value;
        bool fresh() const { return age < 3; }
        int age;
    };

    Cache() = default;
    explicit Cache(int limit) : limit_(limit) {}
    ~Cache() { clear(); }
    Cache(const Cache&) = delete;

    // Puts a value in front.
    template <class... Args>
    V& emplace(const K& key, Args&&... args)
    {
        entries_.push_front(Entry{key, V(std::forward<Args>(args)...)});
        return entries_.front().value;
    }

    [[nodiscard]] V* find(const K& key);
    operator bool() const { return !entries_.empty(); }
    friend bool operator==(const Cache& a, const Cache& b) { return a.limit_ == b.limit_; }

private:
    std::list<Entry> entries_;
    int limit_ = kLimit;
};

class SHOP_EXPORT Registry {
    void add(Key key) { keys.push_back(key); }
};

typedef struct {
    int hits;
    int misses;
} Counts;

} // namespace shop::cache

#endif
