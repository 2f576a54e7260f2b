// Mapwright.cs: a map from Mapwright as a mesh, for Unity 2020.3 or later.
//
// Put it on an empty GameObject, start the service, press play. It reads JSON with Newtonsoft's Json.NET, which
// is the package com.unity.nuget.newtonsoft-json, as JsonUtility knows no arrays of arrays. A service without TLS
// needs «Allow downloads over HTTP» in the player's settings.
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Newtonsoft.Json.Linq;
using UnityEngine;
using UnityEngine.Networking;

public class Mapwright : MonoBehaviour
{
    public string service = "http://localhost:8080";
    public string generator = "islands";
    [TextArea] public string parameters = "{\"width\": 32, \"height\": 24, \"layers\": 4, \"seed\": 7}";
    public int tries = 5;

    static readonly Color32[] Colours =
    {
        new Color32(0x77, 0xaa, 0xdd, 255), new Color32(0xee, 0x88, 0x66, 255), new Color32(0xee, 0xdd, 0x88, 255),
        new Color32(0xff, 0xaa, 0xbb, 255), new Color32(0x99, 0xdd, 0xff, 255), new Color32(0x44, 0xbb, 0x99, 255),
    };

    static readonly Color32 Dark = new Color32(0xbb, 0x55, 0x33, 255); // bridges
    static readonly long[] Busy = { 429, 502, 503, 504 }; // pass: from the service, or from a proxy before it

    string answer, problem;

    public IEnumerator Start()
    {
        yield return Ask();
        if (answer == null)
            Debug.LogError(problem);
        else
            Show((JObject)JObject.Parse(answer)["result"]);
    }

    // An answer with a seed is the same for ever: kept, and asked for once.
    IEnumerator Ask()
    {
        bool seeded = JObject.Parse(parameters)["seed"] != null;
        string file = Path.Combine(Application.persistentDataPath,
                                   Hash128.Compute(service + generator + parameters) + ".json");
        if (seeded && File.Exists(file))
            answer = File.ReadAllText(file);
        for (int left = tries; answer == null && left > 0; left--)
            using (var request = new UnityWebRequest(service + "/" + generator, "POST"))
            {
                request.uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(parameters));
                request.downloadHandler = new DownloadHandlerBuffer();
                request.SetRequestHeader("Content-Type", "application/json");
                yield return request.SendWebRequest();
                if (request.responseCode == 200 && Read(request) != null)
                    answer = request.downloadHandler.text;
                else
                    problem = Explain(request);
                if (answer != null && seeded)
                    File.WriteAllText(file, answer);
                if (!Busy.Contains(request.responseCode))
                    yield break;
                int wait; // a busy service says when to try again
                bool told = int.TryParse(request.GetResponseHeader("Retry-After"), out wait);
                yield return new WaitForSeconds(told ? wait : 1);
            }
    }

    // "A parameter is wrong", then "width: must be an integer from 1 to 4096", a line each.
    static string Explain(UnityWebRequest request)
    {
        if (request.responseCode == 0)
            return "no answer: " + request.error;
        JObject said = Read(request);
        if (said == null)
            return request.responseCode + " says something that is not JSON\nis that Mapwright?";
        var errors = said["errors"] ?? new JArray();
        var lines = errors.Select(e => ((string)e["pointer"]).TrimStart('/') + ": " + (string)e["detail"]).ToList();
        if (lines.Count == 0)
            lines.Add((string)said["detail"]);
        return (string)said["title"] + "\n" + string.Join("\n", lines.ToArray());
    }

    // An object; what is none came from somebody else.
    static JObject Read(UnityWebRequest request)
    {
        try
        {
            return JObject.Parse(request.downloadHandler.text);
        }
        catch (Newtonsoft.Json.JsonException)
        {
            return null;
        }
    }

    readonly List<Vector3> corners = new List<Vector3>();
    readonly List<Color32> colours = new List<Color32>();
    readonly List<int> triangles = new List<int>();

    void Show(JObject result)
    {
        if (result["stars"] != null)
            AddStars(result);
        else if (result["cells"] != null)
            AddCells(result);
        else
            AddPaths(result);
        var mesh = new Mesh { indexFormat = UnityEngine.Rendering.IndexFormat.UInt32 };
        mesh.SetVertices(corners);
        mesh.SetColors(colours);
        mesh.SetTriangles(triangles, 0);
        gameObject.AddComponent<MeshFilter>().mesh = mesh;
        gameObject.AddComponent<MeshRenderer>().material = new Material(Shader.Find("Sprites/Default"));
    }

    // A square for each cell that is land or bridge, at its height; hexagons have odd rows shoved to the right.
    void AddCells(JObject result)
    {
        var cells = result["cells"].ToObject<int[][]>();
        var heights = result["heights"] == null ? null : result["heights"].ToObject<int[][]>();
        bool hex = (string)result["grid"] == "hex";
        for (int y = 0; y < cells.Length; y++)
            for (int x = 0; x < cells[y].Length; x++)
                if (cells[y][x] != 0)
                    AddSquare(At(x + (hex && y % 2 == 1 ? 1 : 0.5f), y + 0.5f, heights == null ? 0 : heights[y][x]), 1,
                              cells[y][x] < 0 ? Dark : Colours[cells[y][x] % Colours.Length]);
    }

    // Stars on their lanes, homeworlds larger. The longer side of the map is 32.
    void AddStars(JObject result)
    {
        float scale = 32f / Math.Max((int)result["width"], (int)result["height"]);
        var at = result["stars"].Select(star => At((float)star["x"] * scale, (float)star["y"] * scale, 0)).ToList();
        foreach (JToken lane in result["lanes"])
            AddLine(at[(int)lane[0]], at[(int)lane[1]], 0.06f, Colours[0]);
        for (int i = 0; i < at.Count; i++)
            AddSquare(at[i], (bool)result["stars"][i]["homeworld"] ? 0.9f : 0.35f, Colours[2]);
    }

    // A puzzle that is solved: each path in its colour, with larger ends.
    void AddPaths(JObject result)
    {
        int next = 0;
        foreach (JToken path in result["paths"])
        {
            Color32 colour = Colours[next++ % Colours.Length];
            var at = path["cells"].Select(cell => At((int)cell[0] + 0.5f, (int)cell[1] + 0.5f, 0)).ToList();
            for (int i = 0; i < at.Count; i++)
                AddSquare(at[i], i == 0 || i == at.Count - 1 ? 0.8f : 0.4f, colour);
            for (int i = 1; i < at.Count; i++)
                AddLine(at[i - 1], at[i], 0.4f, colour);
        }
    }

    static Vector3 At(float x, float y, float up) => new Vector3(x, up, -y);

    void AddSquare(Vector3 centre, float side, Color32 colour) =>
        AddLine(centre - At(side / 2, 0, 0), centre + At(side / 2, 0, 0), side, colour);

    void AddLine(Vector3 from, Vector3 to, float width, Color32 colour)
    {
        Vector3 aside = Vector3.Cross(to - from, Vector3.up).normalized * (width / 2);
        int at = corners.Count;
        corners.AddRange(new[] { from - aside, from + aside, to + aside, to - aside });
        triangles.AddRange(new[] { at, at + 1, at + 2, at, at + 2, at + 3 });
        colours.AddRange(Enumerable.Repeat(colour, 4));
    }
}
