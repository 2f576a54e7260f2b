// Player.cs: what a game does with bindings/unity, and how its structures lie.
using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;

static class Player
{
    // bytes ADDRESS [JSON] | map ADDRESS [JSON] | places | stop ADDRESS | bounds ADDRESS STEPS BYTES | many ADDRESS
    static int Main(string[] words)
    {
        try
        {
            Do(words, words.Length > 2 ? words[2] : null);
            return 0;
        }
        catch (Mapwright.Problem problem)
        {
            Console.Error.WriteLine(problem.Fault + "\n" + problem.Message);
            return 1;
        }
    }

    static void Do(string[] words, string json)
    {
        switch (words[0])
        {
            case "bytes": Put(Mapwright.Map.Bytes(words[1], json)); break;
            case "map": Show(words[1], json); break;
            case "places": Places(); break;
            case "stop": Stop(words[1]); break;
            case "bounds": Mapwright.Map.Make(words[1], null, null, long.Parse(words[2]), long.Parse(words[3])); break;
            case "many": Many(words[1]); break;
        }
    }

    static void Put(byte[] bytes)
    {
        using (Stream stream = Console.OpenStandardOutput())
            stream.Write(bytes, 0, bytes.Length);
    }

    static void Show(string address, string json)
    {
        using (var world = Mapwright.Map.Make(address, json))
        {
            Console.WriteLine(world.Address);
            Console.WriteLine(world.Id);
            Console.WriteLine(world.Grid("nothing") == null);
            int[,] cells = world.Grid();
            for (int y = 0; y < cells.GetLength(0); y++)
                for (int x = 0; x < cells.GetLength(1); x++)
                    Console.Write(cells[y, x] + (x + 1 < cells.GetLength(1) ? "," : "\n"));
            Console.Write(world.Text("text"));
            Console.WriteLine(world.Encode("png").Length);
        }
    }

    // struct member place
    static void Places()
    {
        foreach (Type type in typeof(Mapwright.Map).Assembly.GetType("Mapwright.Native").GetNestedTypes(BindingFlags.NonPublic))
            if (type.IsValueType)
                foreach (FieldInfo field in type.GetFields())
                    Console.WriteLine("{0} {1} {2}", type.Name, field.Name, Marshal.OffsetOf(type, field.Name));
    }

    static void Stop(string address)
    {
        double last = -1;
        Mapwright.Map.Make(address, null, done => { if (done < last || done >= 1) throw new Exception("falls"); last = done; }).Dispose();
        try
        {
            Mapwright.Map.Make(address, null, done => { throw new OperationCanceledException("enough"); });
        }
        catch (OperationCanceledException enough)
        {
            Console.WriteLine("{0}, {1}", enough.Message, last > 0);
        }
    }

    static void Many(string address)
    {
        var threads = new Thread[8];
        var lengths = new int[threads.Length];
        for (int i = 0; i < threads.Length; i++)
        {
            int mine = i;
            threads[i] = new Thread(() => lengths[mine] = Mapwright.Map.Bytes(address).Length);
            threads[i].Start();
        }
        foreach (Thread thread in threads)
            thread.Join();
        Console.WriteLine(string.Join(" ", lengths));
    }
}
