/** The books, for other shops. */
open module org.example.books {
    requires transitive java.logging;
    exports org.example.books;
}
