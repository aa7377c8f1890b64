namespace Example.Warehouse;

/// <summary>
/// A box that can be counted.
/// </summary>
/// <remarks>Empty boxes count too.</remarks>
public class Box
{
    /// <summary>How much fits.</summary>
    /// <param name="unit">litres or pieces</param>
    public int Room(Unit unit) => 3;
}
