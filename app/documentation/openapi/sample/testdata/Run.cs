using System;
using System.IO;
using System.Reflection;
using System.Threading.Tasks;

/// <summary>Runs the classes whose names it is given.</summary>
static class Run
{
    static int Main(string[] names)
    {
        var failed = 0;
        Console.SetOut(TextWriter.Null);
        foreach (var name in names)
        {
            try
            {
                var main = Type.GetType(name).GetMethod("Main", BindingFlags.Static | BindingFlags.NonPublic);
                ((Task)main.Invoke(null, null)).GetAwaiter().GetResult();
            }
            catch (Exception error)
            {
                Console.Error.WriteLine(name + " " + error);
                failed = 1;
            }
        }
        return failed;
    }
}
