#include "cache.hpp"
#include_next <limits>

namespace shop::cache {
namespace {

std::atomic<int> users{0};

auto smaller = [](int a, int b) {
    return a < b;
};

} // namespace

int Registry::count = 0;

template <Hashable K, class V>
V* Cache<K, V>::find(const K& key)
{
    auto found = std::find_if(entries_.begin(), entries_.end(), matches<K>(key));
    return found == entries_.end() ? nullptr : &found->value;
}

Registry::~Registry() { delete new Registry(*this); }

std::ostream& operator<<(std::ostream& out, const Counts& counts)
{
    return out << counts.hits;
}

extern "C" int shop_cache_users(void) { return users.load(); }

} // namespace shop::cache

template <>
struct std::hash<shop::cache::Counts> {
    size_t operator()(const Counts& counts) const { return counts.hits; }
};

TEST(CacheTest, ForgetsTheOldest)
{
    EXPECT_EQ(shop::cache::make<int>(3).size(), 3);
}

TEST_CASE("a cache is empty at first") {
    SECTION("and says so") {
        REQUIRE(!Cache<int, int>());
    }
}
