// Native.cs: what mapwright.h declares, as far as it is used here.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Mapwright
{
    // What IL2CPP wants on a method that C calls; it goes by the name.
    [AttributeUsage(AttributeTargets.Method)]
    sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }

    static class Native
    {
#if UNITY_IOS && !UNITY_EDITOR
        const string Library = "__Internal";
#else
        const string Library = "mapwright";
#endif
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate byte Stop(IntPtr arg, ulong steps);

        [StructLayout(LayoutKind.Sequential)]
        internal struct Limits
        {
            public IntPtr memory;
            public UIntPtr size;
            public ulong steps;
            public Stop stop;
            public IntPtr stop_arg;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Problem
        {
            public int fault;
            [MarshalAs(UnmanagedType.ByValArray, SizeConst = 96)]
            public byte[] pointer;
            [MarshalAs(UnmanagedType.ByValArray, SizeConst = 320)]
            public byte[] detail;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Problems // and then the list
        {
            public UIntPtr count, dropped;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Cost
        {
            public ulong steps, bytes, nanoseconds;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Lattice
        {
            public int width, height, tiling, wrap;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Cells
        {
            public Lattice lattice;
            public IntPtr at;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Bytes
        {
            public IntPtr at;
            public UIntPtr length;
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr mw_open(ref Limits limits);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr mw_ask(IntPtr run, byte[] address, byte[] json, byte[] seed);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr mw_make(IntPtr run, IntPtr request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern Bytes mw_encode(IntPtr run, IntPtr map, byte[] format);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr mw_request_address(IntPtr request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr mw_request_id(IntPtr request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern Cost mw_request_cost(IntPtr request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr mw_grid(IntPtr map, byte[] name);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr mw_problems(IntPtr run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern double mw_progress(ulong steps, ulong estimate);

        internal static T Read<T>(IntPtr at) { return (T)Marshal.PtrToStructure(at, typeof(T)); }

        // UTF-8, ended by a zero; null is NULL.
        internal static byte[] Words(string text) { return text == null ? null : Encoding.UTF8.GetBytes(text + "\0"); }

        // What ends in a zero at an address.
        internal static string Text(IntPtr words)
        {
            int length = 0;
            while (Marshal.ReadByte(words, length) != 0)
                length++;
            var bytes = new byte[length];
            Marshal.Copy(words, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        internal static string Text(byte[] words)
        {
            return Encoding.UTF8.GetString(words, 0, Array.IndexOf(words, (byte)0));
        }
    }
}
