// Stock of a warehouse.
#nullable enable

using System;
using System.Collections.Generic;
using static System.Math;
using global::Example;
using Counts = System.Collections.Generic.Dictionary<string, int>;
using Names = List<string>;
using Clock = Example.Time.Clock;
using Text = String;
using Old = Legacy::Item;

namespace Example.Warehouse
{
    /// Says when something runs out.
    public delegate void RanOut(object sender, Item item);

    /// Things of one kind, and how many there are.
    [Serializable]
    [DebuggerDisplay("{Count} things")]
    public sealed partial class Inventory<T> : Store<T>, IEnumerable<T>, Audit.IAudited
        where T : Item, new()
    {
        public const int Limit = 10_000;
        private readonly List<T> items = new();
        public event RanOut? Empty;

        public Inventory(string name, ILog log) : base(name)
        {
            this.log = log ?? throw new ArgumentNullException(nameof(log));
        }

        ~Inventory() => Dispose(false);

        public string? Place { get; set; }

        /// How many there are now.
        public int Count => items.Count;

        [JsonIgnore]
        public T First
        {
            get { return items[0]; }
            set { items[0] = value; }
        }

        public T this[int index] => items[index];

        // Takes things out, oldest first.
        [Obsolete("use TakeAsync"), Audited]
        public async Task<IList<T>> Take<TKey>(TKey key, int count, params string[] notes)
            where TKey : notnull
        {
            var taken = new List<T>(Min(count, Limit));
            foreach (Item item in items)
            {
                if (item is Sealed s && Fits(s)) taken.Add((T)item);
            }
            Empty?.Invoke(this, items[0] as Item);
            return await store.Load<T>(typeof(Item), taken);

            bool Fits(Sealed box)
            {
                return box.Size < Limit;
            }
        }

        void Audit.IAudited.Check(Audit.Report report) { }

        public static Inventory<T> operator +(Inventory<T> a, Inventory<T> b)
        {
            return a.Merge(b);
        }

        public static explicit operator int(Inventory<T> a) => a.Count;

        private enum State
        {
            Open,
            Closed,
        }

        internal struct Slot
        {
            public int Row;
            public void Clear() => Row = 0;
        }
    }

    public record Item(string Name, decimal Price) : Thing(Name);

    public interface IAudited : IDisposable
    {
        string Owner { get; }

        /// Looks for mistakes.
        void Check(Report report);
    }

    [Flags]
    enum Sizes { Small = 1, Large = 2 }
}
