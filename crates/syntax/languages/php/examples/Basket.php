<?php

declare(strict_types=1);

/**
 * What a customer wants to buy.
 */
namespace Shop\Basket;

use Countable;
use Shop\Items\{Item, Price as Money};
use Shop\Stock\Shelf as Rack, Shop\Stock\Store;
use function Shop\Text\plural;

require_once 'helpers.php';
require __DIR__ . '/currency.php';
include("labels.php");
include_once(__DIR__ . '/notes.php');

const LIMIT = 20;
define('SHOP_CURRENCY', 'EUR');

/** Tells how to count. */
interface Counts extends Countable
{
    /** How many there are. */
    public function total(): int;
}

trait Remembers
{
    private array $seen = [];

    protected function remember(Item $item): void
    {
        $this->seen[] = $item->id();
    }
}

/**
 * How urgent an order is.
 */
enum Speed: string implements \JsonSerializable
{
    case Slow = 'slow';
    case Fast = 'fast';

    public static function default(): self
    {
        return self::Slow;
    }
}

/**
 * A basket of items.
 */
#[Entity(table: 'baskets')]
final class Basket extends Model implements Counts, \Shop\Saved
{
    use Remembers;

    public const MOST = LIMIT;

    private ?Money $sum = null;

    public function __construct(private Store|Memory $store)
    {
        parent::__construct();
    }

    /** Adds an item. */
    #[Logged]
    public function add(Item $item, int $count = 1): static
    {
        if ($item instanceof Gift) {
            throw new \Shop\Refused(plural($count));
        }
        $this->store?->put($item);
        Events::send(Added::class);

        return $this;
    }

    #[Cached]
    function clear() {}

    abstract protected function price(): Money;
}

// Makes a basket from nothing.
#[Pure]
function empty_basket(): Basket
{
    return new Basket(new Memory());
}

$total = function (Basket $basket) use ($rate) {
    return $basket->total() * $rate;
};

$double = fn (int $a) => $a * 2;

it('starts empty', function () {
    expect(empty_basket()->total())->toBe(0);
});

test('adds items', function () {
    expect(true)->toBeTrue();
})->group('slow');
