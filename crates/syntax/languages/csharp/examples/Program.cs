global using System.Linq;
using Example.Warehouse;

var stock = new Inventory<Item>("main", Log.Default);
var limit = 3;

// Prints what is there.
void Show(Inventory<Item> inventory)
{
    foreach (var item in inventory) Console.WriteLine(item);
}

Show(stock);

class Broken
{
    void Half(int a
