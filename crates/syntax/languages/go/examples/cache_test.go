package cache

import "testing"

// A cache forgets what is old and keeps what is new.
func TestCache(t *testing.T) {
	c := New[string, int]()

	t.Run("missing keys are not found", func(t *testing.T) {
		if _, ok := c.Get("nothing"); ok {
			t.Error("found nothing")
		}
		if _, ok := c.Get(""); ok {
			t.Error("found the empty key")
		}
	})

	// Time is moved by hand.
	t.Run("old entries are not found", func(t *testing.T) {
		start := now()
		now = func() Time { return start }
		c.Put("a", 1)
		c.Put("b", 2)
		now = func() Time { return start.Add(DefaultTTL + 1) }
		if _, ok := c.Get("a"); ok {
			t.Error("found a")
		}
		if _, ok := c.Get("b"); ok {
			t.Error("found b")
		}
		now = func() Time { return start }
	})

	cases := []struct {
		name string
		key  string
		want int
	}{
		{"short", "a", 1},
		{"same", "a", 1},
		{"other", "b", 2},
		{"long", "abcdefghijklmnopqrstuvwxyz", 3},
		{"spaces", "a b c", 4},
		{"letters", "äöü", 5},
		{"newline", "a\nb", 6},
		{"number", "12345", 7},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c.Put(tc.key, tc.want)
			got, ok := c.Get(tc.key)
			if !ok {
				t.Fatalf("%q is lost", tc.key)
			}
			if got != tc.want {
				t.Errorf("%q: got %d, want %d", tc.key, got, tc.want)
			}
		})
	}

	if got := len(c.entries); got != 8 {
		t.Errorf("got %d entries, want 8", got)
	}

	c.Clear()
	if got := len(c.entries); got != 0 {
		t.Errorf("got %d entries, want none", got)
	}
}

var _ = Describe("the shared cache", func() {
	It("holds bytes", func() {
		Expect(shared.Get("x")).To(Equal(Bytes("x")))
	})
})

func BenchmarkGet(b *testing.B) {
	c := New[string, int](
