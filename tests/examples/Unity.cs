// Unity.cs: as much of Unity as examples/Mapwright.cs uses, so that it can be compiled and run without; and a
// player of coroutines. Prints what the mesh is made of.
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Text;
using UnityEngine;

namespace UnityEngine
{
    public class TextAreaAttribute : Attribute { }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static readonly Vector3 up = new Vector3(0, 1, 0);
        public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return a + b * -1; }
        public static Vector3 operator *(Vector3 a, float k) { return new Vector3(a.x * k, a.y * k, a.z * k); }
        public static Vector3 Cross(Vector3 a, Vector3 b)
        {
            return new Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        }
        public Vector3 normalized { get { return this * (1 / (float)Math.Sqrt(x * x + y * y + z * z)); } }
    }

    public struct Color32
    {
        public byte r, g, b, a;
        public Color32(byte r, byte g, byte b, byte a) { this.r = r; this.g = g; this.b = b; this.a = a; }
    }

    public struct Hash128
    {
        ulong value;
        public static Hash128 Compute(string text)
        {
            var hash = new Hash128 { value = 14695981039346656037 };
            foreach (byte b in Encoding.UTF8.GetBytes(text))
                hash.value = (hash.value ^ b) * 1099511628211;
            return hash;
        }
        public override string ToString() { return value.ToString("x16"); }
    }

    public static class Application
    {
        public static string persistentDataPath { get { return Environment.GetEnvironmentVariable("UNITY_DATA"); } }
    }

    public static class Debug
    {
        public static bool failed;
        public static void LogError(object said) { failed = true; Console.Error.WriteLine(said); }
    }

    public class WaitForSeconds
    {
        public readonly float Seconds;
        public WaitForSeconds(float seconds) { Seconds = seconds; }
    }

    public class Mesh
    {
        public Rendering.IndexFormat indexFormat;
        public List<Vector3> vertices;
        public List<Color32> colours;
        public List<int> triangles;
        public void SetVertices(List<Vector3> list) { vertices = list; }
        public void SetColors(List<Color32> list) { colours = list; }
        public void SetTriangles(List<int> list, int submesh) { triangles = list; }
    }

    public class Shader { public static Shader Find(string name) { return new Shader(); } }
    public class Material { public Material(Shader shader) { } }
    public class MeshFilter { public Mesh mesh; }
    public class MeshRenderer { public Material material; }

    public class GameObject
    {
        public readonly List<object> components = new List<object>();
        public T AddComponent<T>() where T : new()
        {
            var component = new T();
            components.Add(component);
            return component;
        }
    }

    public class MonoBehaviour { public GameObject gameObject = new GameObject(); }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat { UInt16, UInt32 }
}

namespace UnityEngine.Networking
{
    public class UploadHandlerRaw
    {
        public readonly byte[] data;
        public UploadHandlerRaw(byte[] bytes) { data = bytes; }
    }

    public class DownloadHandlerBuffer { public string text; }

    public class UnityWebRequest : IDisposable
    {
        public UploadHandlerRaw uploadHandler;
        public DownloadHandlerBuffer downloadHandler;
        public long responseCode;
        public string error;
        readonly HttpWebRequest request;
        WebHeaderCollection headers;

        public UnityWebRequest(string url, string method)
        {
            request = (HttpWebRequest)WebRequest.Create(url);
            request.Method = method;
        }
        public void SetRequestHeader(string name, string value) { request.ContentType = value; }
        public string GetResponseHeader(string name) { return headers[name]; }
        public object SendWebRequest()
        {
            try
            {
                using (var body = request.GetRequestStream())
                    body.Write(uploadHandler.data, 0, uploadHandler.data.Length);
                Take((HttpWebResponse)request.GetResponse());
            }
            catch (WebException refused)
            {
                error = refused.Message;
                if (refused.Response != null)
                    Take((HttpWebResponse)refused.Response);
            }
            return null;
        }
        void Take(HttpWebResponse response)
        {
            responseCode = (long)response.StatusCode;
            headers = response.Headers;
            using (var reader = new StreamReader(response.GetResponseStream(), Encoding.UTF8))
                downloadHandler.text = reader.ReadToEnd();
        }
        public void Dispose() { }
    }
}

static class Player
{
    static void Play(IEnumerator coroutine)
    {
        while (coroutine.MoveNext())
        {
            var inner = coroutine.Current as IEnumerator;
            var wait = coroutine.Current as WaitForSeconds;
            if (inner != null)
                Play(inner);
            if (wait != null)
                System.Threading.Thread.Sleep((int)(1000 * wait.Seconds));
        }
    }

    // arguments: the service, the generator, its parameters as JSON
    static int Main(string[] words)
    {
        var script = new Mapwright { service = words[0], generator = words[1], parameters = words[2] };
        Play(script.Start());
        foreach (object component in script.gameObject.components)
            if (component is MeshFilter)
            {
                Mesh mesh = ((MeshFilter)component).mesh;
                float up = 0;
                foreach (Vector3 corner in mesh.vertices)
                    up += corner.y / 4;
                Console.WriteLine("{0} corners, {1} colours, {2} indices, heights {3}", mesh.vertices.Count,
                                  mesh.colours.Count, mesh.triangles.Count, up);
            }
        return Debug.failed ? 1 : 0;
    }
}
