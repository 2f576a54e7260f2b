// Mapwright.cs: a map from Mapwright as a mesh, for Unity 2020.3 or later.
//
// Put it on an empty GameObject, start the service, press play. It reads JSON with Newtonsoft's Json.NET, which
// is the package com.unity.nuget.newtonsoft-json, as JsonUtility knows no arrays of arrays. A service without TLS
// needs «Allow downloads over HTTP» in the player's settings.
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

    static readonly long[] Busy = { 429, 502, 503, 504 }; // that pass: of the service, or of what stands before it

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

    // A square for each cell that is land or bridge, at its height; hexagons have odd rows shoved to the right.
    void Show(JObject result)
    {
        var cells = result["cells"].ToObject<int[][]>();
        var heights = result["heights"] == null ? null : result["heights"].ToObject<int[][]>();
        bool hex = (string)result["grid"] == "hex";
        var corners = new List<Vector3>();
        var colours = new List<Color32>();
        var triangles = new List<int>();
        for (int y = 0; y < cells.Length; y++)
            for (int x = 0; x < cells[y].Length; x++)
                if (cells[y][x] != 0)
                {
                    int label = cells[y][x], at = corners.Count;
                    float left = x + (hex && y % 2 == 1 ? 0.5f : 0), up = heights == null ? 0 : heights[y][x];
                    corners.AddRange(new[]
                    {
                        new Vector3(left, up, -y), new Vector3(left + 1, up, -y),
                        new Vector3(left + 1, up, -y - 1), new Vector3(left, up, -y - 1),
                    });
                    triangles.AddRange(new[] { at, at + 1, at + 2, at, at + 2, at + 3 });
                    var colour = label < 0 ? new Color32(0xbb, 0x55, 0x33, 255) : Colours[label % Colours.Length];
                    colours.AddRange(Enumerable.Repeat(colour, 4));
                }
        var mesh = new Mesh { indexFormat = UnityEngine.Rendering.IndexFormat.UInt32 };
        mesh.SetVertices(corners);
        mesh.SetColors(colours);
        mesh.SetTriangles(triangles, 0);
        gameObject.AddComponent<MeshFilter>().mesh = mesh;
        gameObject.AddComponent<MeshRenderer>().material = new Material(Shader.Find("Sprites/Default"));
    }
}
