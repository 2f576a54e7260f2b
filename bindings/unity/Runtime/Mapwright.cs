// Mapwright.cs: maps made in the game itself, by libmapwright. See README.md.
//
// A map lies in one block of memory, which Dispose gives back. Maps may be made on any thread, as many at once
// as you like.
using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

namespace Mapwright
{
    public enum Fault { None, BadParam, OtherVersion, NoResult, TooHard, TooBig, Stopped }

    // Why there is no map: a line for each parameter that is wrong.
    public sealed class Problem : Exception
    {
        public readonly Fault Fault;
        internal Problem(Fault fault, string message) : base(message) { Fault = fault; }
    }

    public sealed class Map : IDisposable
    {
        const long Memory = 4L << 30;

        static readonly Native.Stop stop = Stop; // for ever: C holds it

        IntPtr block, run, request, map;
        GCHandle self;
        Action<double> progress;
        ExceptionDispatchInfo thrown; // by `progress`
        byte[] written;

        public string Address { get; private set; }
        public string Id { get; private set; }

        // "/regions?width=60&seed=7", or "regions" and {"width": 60, "seed": 7} as JSON. `progress` is told 0 to 1
        // now and then; what it throws ends the work. `steps` bounds it (0: its own budget), and `memory`.
        public static Map Make(string address, string json = null, Action<double> progress = null, long steps = 0,
                               long memory = Memory)
        {
            return Work(address, json, progress, steps, memory, false);
        }

        // What the service would send for "/regions.svg?width=60&seed=7".
        public static byte[] Bytes(string address, string json = null, Action<double> progress = null, long steps = 0,
                                   long memory = Memory)
        {
            using (Map made = Work(address, json, progress, steps, memory, true))
                return made.written;
        }

        // The map in a format: json, cbor, text, svg, png, and what else its kind has.
        public byte[] Encode(string format)
        {
            return Write(Native.Words(format)) ? written : Bytes(Address + "&format=" + Uri.EscapeDataString(format));
        }

        public string Text(string format) { return Encoding.UTF8.GetString(Encode(format)); }

        // The numbers of a grid, as [y, x]; null: the map has none of that name.
        public int[,] Grid(string name = "cells")
        {
            if (map == IntPtr.Zero)
                throw new ObjectDisposedException("Map");
            IntPtr found = Native.mw_grid(map, Native.Words(name));
            if (found == IntPtr.Zero)
                return null;
            var cells = Native.Read<Native.Cells>(found);
            int width = cells.lattice.width, height = cells.lattice.height;
            var row = new int[width];
            var grid = new int[height, width];
            for (int y = 0; y < height; y++)
            {
                Marshal.Copy(new IntPtr(cells.at.ToInt64() + 4L * y * width), row, 0, width);
                Buffer.BlockCopy(row, 0, grid, 4 * y * width, 4 * width);
            }
            return grid;
        }

        public void Dispose()
        {
            if (block != IntPtr.Zero)
                Marshal.FreeHGlobal(block);
            if (self.IsAllocated)
                self.Free();
            block = run = map = IntPtr.Zero;
            GC.SuppressFinalize(this);
        }

        ~Map() { Dispose(); }

        // In a block of the size that it is expected to take, or in a larger one.
        static Map Work(string address, string json, Action<double> progress, long steps, long memory, bool write)
        {
            if (address.IndexOf('\0') >= 0)
                throw new ArgumentException("an address holds no zero byte");
            byte[] path = Native.Words(address), body = Native.Words(json), seed = Native.Words(FreshSeed());
            long size = (1 << 20) + 16L * (path.Length + (body == null ? 0 : body.Length));
            for (var made = new Map { progress = progress };; size *= 2)
                try
                {
                    made.Open(Math.Min(size, memory), steps);
                    long expected = made.Ask(path, body, seed);
                    if (expected > size && size < memory)
                        size = expected; // and twice as much then
                    else if (expected > 0 && made.Made() && (!write || made.Write(null)))
                        return made;
                    else if (size >= memory || made.Reason().Fault != Fault.TooBig)
                        throw made.Reason();
                }
                catch
                {
                    made.Dispose();
                    throw;
                }
        }

        void Open(long size, long steps)
        {
            Dispose();
            GC.ReRegisterForFinalize(this);
            self = GCHandle.Alloc(this, GCHandleType.Weak);
            block = Marshal.AllocHGlobal(new IntPtr(size));
            var limits = new Native.Limits { memory = block, size = new UIntPtr((ulong)size), steps = (ulong)steps };
            limits.stop_arg = GCHandle.ToIntPtr(self);
            limits.stop = progress == null ? null : stop;
            run = Native.mw_open(ref limits);
            if (run == IntPtr.Zero)
                throw new Problem(Fault.TooBig, size + " bytes are too few for any map");
        }

        // The bytes that it is expected to take; 0: something is wrong.
        long Ask(byte[] address, byte[] json, byte[] seed)
        {
            request = Native.mw_ask(run, address, json, seed);
            if (request == IntPtr.Zero)
                return 0;
            Address = Native.Text(Native.mw_request_address(request));
            Id = Native.Text(Native.mw_request_id(request));
            return (long)Native.mw_request_cost(request).bytes;
        }

        bool Made()
        {
            map = Native.mw_make(run, request);
            if (thrown != null)
                thrown.Throw();
            return map != IntPtr.Zero;
        }

        // In a format; null: the one that was asked for.
        bool Write(byte[] format)
        {
            if (map == IntPtr.Zero)
                throw new ObjectDisposedException("Map");
            Native.Bytes bytes = Native.mw_encode(run, map, format);
            if (bytes.at == IntPtr.Zero)
                return false;
            written = new byte[(long)bytes.length];
            Marshal.Copy(bytes.at, written, 0, written.Length);
            return true;
        }

        // "width: must be an integer from 1 to 4096", a line each.
        Problem Reason()
        {
            IntPtr at = Native.mw_problems(run);
            var lines = new List<string>();
            var problem = new Native.Problem();
            long row = at.ToInt64() + Marshal.SizeOf(typeof(Native.Problems));
            for (long n = (long)Native.Read<Native.Problems>(at).count; n > 0; n--)
            {
                problem = Native.Read<Native.Problem>(new IntPtr(row));
                string pointer = Native.Text(problem.pointer), detail = Native.Text(problem.detail);
                lines.Add(pointer == "" ? detail : pointer.Substring(1) + ": " + detail);
                row += Marshal.SizeOf(typeof(Native.Problem));
            }
            return new Problem((Fault)problem.fault, string.Join("\n", lines.ToArray()));
        }

        [MonoPInvokeCallback(typeof(Native.Stop))]
        static byte Stop(IntPtr arg, ulong steps)
        {
            var map = (Map)GCHandle.FromIntPtr(arg).Target;
            try
            {
                map.progress(Native.mw_progress(steps, Native.mw_request_cost(map.request).steps));
            }
            catch (Exception exception) // none may pass through the library
            {
                map.thrown = ExceptionDispatchInfo.Capture(exception);
            }
            return (byte)(map.thrown == null ? 0 : 1);
        }

        static string FreshSeed()
        {
            var bits = new byte[8];
            using (var source = RandomNumberGenerator.Create())
                source.GetBytes(bits);
            return (BitConverter.ToUInt64(bits, 0) >> 11).ToString();
        }
    }
}
