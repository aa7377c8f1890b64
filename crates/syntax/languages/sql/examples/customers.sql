-- Written on another system.
CREATE TABLE customers (
    id integer PRIMARY KEY,
    name varchar(80) NOT NULL,
    referrer integer,
    FOREIGN KEY (referrer) REFERENCES customers (id)
);

CREATE TABLE archive AS SELECT * FROM customers;

CREATE FUNCTION first_of(list shop.names) RETURNS shop.name AS $$
    SELECT cast(list AS shop.name);
$$ LANGUAGE sql;

DROP TABLE old_customers;

-- Nobody finished this one.
CREATE TABLE addresses (
    id integer PRIMARY
