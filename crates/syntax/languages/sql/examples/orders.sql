-- Orders, their lines, and what is reported of them.
BEGIN;

CREATE SCHEMA IF NOT EXISTS shop;

CREATE EXTENSION IF NOT EXISTS pgcrypto;

CREATE TYPE shop.state AS ENUM ('open', 'paid', 'sent');

-- One row for each order, never deleted.
CREATE TABLE IF NOT EXISTS shop.orders (
    id bigint PRIMARY KEY,
    state shop.state NOT NULL DEFAULT 'open',
    customer bigint NOT NULL REFERENCES shop.customers (id),
    placed timestamp NOT NULL DEFAULT now()
);

/* What was bought.
   Prices are in cents. */
CREATE TABLE lines (
    order_id bigint REFERENCES shop.orders (id) ON DELETE CASCADE,
    product text,
    price int CHECK (price >= 0),
    PRIMARY KEY (order_id, product)
);

CREATE SEQUENCE receipt_numbers START WITH 1000;

CREATE INDEX lines_by_order ON lines (order_id);
CREATE UNIQUE INDEX lines_by_product ON lines (product);
CREATE INDEX orders_by_state ON shop.orders (state);
CREATE INDEX IF NOT EXISTS orders_by_day ON shop.orders (placed);

-- What each customer has paid so far.
CREATE OR REPLACE VIEW shop.totals AS
WITH paid AS (
    SELECT id, customer FROM shop.orders WHERE state = 'paid'
)
SELECT p.customer, sum(l.price) AS total
FROM paid p
JOIN lines l ON l.order_id = p.id
GROUP BY p.customer;

CREATE MATERIALIZED VIEW best_sellers AS
SELECT product, count(*) FROM lines GROUP BY product;

-- The price of an order in cents.
CREATE OR REPLACE FUNCTION shop.price_of(wanted bigint)
RETURNS int
LANGUAGE sql
AS $$
    SELECT coalesce(sum(price), 0) FROM lines WHERE order_id = wanted;
$$;

CREATE FUNCTION stamp() RETURNS trigger AS $$
BEGIN
    NEW.placed := now();
    RETURN NEW;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER stamp_orders
BEFORE INSERT ON shop.orders
FOR EACH ROW EXECUTE FUNCTION stamp();

ALTER TABLE shop.orders ADD COLUMN note text;

INSERT INTO shop.orders (id, customer) VALUES (1, 7);
UPDATE lines SET price = price * 2 WHERE product = 'tea';
DELETE FROM lines WHERE price = 0;

COMMIT;
