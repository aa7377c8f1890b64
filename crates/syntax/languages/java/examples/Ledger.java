/*
 * Bookkeeping of one shop.
 */
package org.example.books;

import static java.util.Objects.requireNonNull;
import static org.example.money.Currency.*;

import java.util.*;
import java.util.function.Function;
import lombok.*;

/**
 * Keeps accounts and moves money between them.
 *
 * @param <A> the kind of account
 */
@Singleton
@SuppressWarnings({"unchecked", "rawtypes"})
public final class Ledger<A extends Account & Named> extends Book<A>
        implements Iterable<A>, java.io.Closeable {

    /** The most that may be moved at once. */
    public static final long LIMIT = 1_000_000L;
    private static final Logger LOG = Logger.of(Ledger.class);

    private final Map<String, List<A>> accounts = new TreeMap<>();

    // Oldest first.
    private static final Comparator<Entry> BY_DATE = new Comparator<Entry>() {
        @Override
        public int compare(Entry a, Entry b) {
            return a.date().compareTo(b.date());
        }
    }.reversed();

    static {
        LOG.info("books are open");
    }

    @Inject
    Ledger(Clock clock) {
        super(requireNonNull(clock));
    }

    /**
     * Moves money.
     *
     * @throws Refused if there is too little
     */
    @Override
    @Timed(name = "move")
    public synchronized <T extends Entry> T move(A from, A to, long cents, Function<Long, T> made)
            throws Refused, BooksClosed {
        if (cents > LIMIT || from.balance() < cents) {
            throw new Refused(from, cents);
        }
        for (Listener l : listeners) {
            l.moved((Object) from, Entry[].class);
        }
        return made.apply(cents);
    }

    @Override public Iterator<A> iterator() {
        return accounts.values().stream().flatMap(List::stream).iterator();
    }

    @Deprecated
    void close() {}

    abstract static class Entry {
        abstract Date date();
    }

    /** What a line looks like. */
    public record Line(String text, long cents) implements Named {
        public Line {
            if (text instanceof Blank b && b.isBlank()) throw new IllegalArgumentException();
        }

        public static Line empty() {
            return new Line("", 0);
        }
    }
}

/** A thing with a name. */
sealed interface Named extends Comparable<Named> permits Ledger.Line, Person {
    Named NOBODY = new Named() {
        public String name() { return ""; }
    };

    String name();

    default String greeting() {
        return "Dear " + name();
    }
}

enum Rounding implements Rule {
    DOWN {
        @Override
        long round(double cents) {
            return (long) Math.floor(cents);
        }
    },
    UP {
        @Override
        long round(double cents) {
            return (long) Math.ceil(cents);
        }
    },
    NONE;

    // Overridden where it matters.
    long round(double cents) {
        return (long) cents;
    }
}

@Retention(RetentionPolicy.RUNTIME)
public @interface Timed {
    String name() default "";

    Class<?>[] groups();
}
