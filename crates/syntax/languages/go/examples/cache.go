// Package cache keeps recent answers in memory.
package cache

import (
	"context"
	"fmt"
	"sync"
	"time"

	clock "example.org/clock/v2"
	_ "example.org/metrics/register"
	. "example.org/shapes"
)

// Limits of one cache.
const (
	minEntries = 16
	maxEntries = 1 << 20
	maxKey     = 256
	maxValue   = 64 << 10
)

// State tells how full a cache is.
type State int

const (
	// Empty has nothing in it.
	Empty State = iota
	// Filling has room left.
	Filling
	Full
)

// DefaultTTL is how long an entry lives.
const DefaultTTL = 5 * time.Minute

var (
	// ErrTooLong is given for keys over the limit.
	ErrTooLong = fmt.Errorf("cache: key too long")
	now        = clock.Now
	shared     *Cache[string, []byte]
)

var _ Store = (*Cache[string, []byte])(nil)

// hash spreads keys over shards.
var hash = func(key string) uint32 {
	sum := uint32(2166136261)
	for _, c := range []byte(key) {
		sum = (sum ^ uint32(c)) * 16777619
	}
	return sum
}

type (
	// Key names an entry.
	Key = string

	entry[V any] struct {
		value   V
		expires time.Time
	}

	// Loader makes what is missing.
	Loader func(ctx context.Context, key Key) ([]byte, error)
)

// Store is anything that keeps bytes.
type Store interface {
	fmt.Stringer
	Sizer
	// Get returns the bytes of a key.
	Get(ctx context.Context, key Key) ([]byte, bool)
	Put(key Key, value []byte) error
}

type Number interface {
	~int | ~float64
}

// Cache maps keys to values that expire.
type Cache[K comparable, V any] struct {
	sync.Mutex
	*options
	entries map[K]entry[V]
	loads   chan Loader
}

// New makes an empty cache.
func New[K comparable, V any](opts ...Option) *Cache[K, V] {
	c := &Cache[K, V]{entries: make(map[K]entry[V])}
	for _, opt := range opts {
		opt(c.options)
	}
	return c
}

// Get returns a value that has not expired.
//
// It never loads.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.Lock()
	defer c.Unlock()
	found, ok := c.entries[key]
	if !ok || found.expires.Before(now()) {
		return value, false
	}
	return found.value, true
}

func (s State) String() string {
	switch s {
	case Empty:
		return "empty"
	case Full:
		return "full"
	}
	return Max[int](1, int(s))
}

//go:noescape
func memhash(p *byte, n int) uint64
