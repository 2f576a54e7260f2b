// Map.cs: a map from Mapwright in C#, for any .NET; for Unity see Mapwright.cs.
//
//     mcs -r:System.Net.Http -r:Newtonsoft.Json.dll Map.cs && mono Map.exe regions width=30 seed=hello
//
// or `dotnet add package Newtonsoft.Json` and `dotnet run regions width=30 seed=hello`. MAPWRIGHT says where the
// service is.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

// Why there is no map: the title, then "width: must be an integer from 1 to 4096", a line each.
sealed class Problem : Exception
{
    public Problem(string message) : base(message) { }
}

static class Map
{
    static readonly string Service = Environment.GetEnvironmentVariable("MAPWRIGHT") ?? "http://localhost:8080";
    static readonly int[] Busy = { 429, 502, 503, 504 }; // pass: from the service, or from a proxy before it
    static readonly HttpClient http = new HttpClient();

    // The answer. One with a seed is the same for ever, so it is kept and asked for once.
    public static async Task<JObject> Get(string generator, JObject parameters, int tries = 5)
    {
        string body = parameters.ToString(Formatting.None), file = FileOf(Service + "/" + generator + body);
        bool seeded = parameters["seed"] != null;
        if (seeded && File.Exists(file))
            return JObject.Parse(File.ReadAllText(file));
        string answer = await Ask(Service + "/" + generator, body, tries);
        if (seeded)
            File.WriteAllText(file, answer);
        return JObject.Parse(answer);
    }

    static string FileOf(string request)
    {
        string home = Environment.GetEnvironmentVariable("XDG_CACHE_HOME") ?? Path.GetTempPath();
        using (var sha = SHA256.Create())
        {
            byte[] name = sha.ComputeHash(Encoding.UTF8.GetBytes(request));
            string folder = Directory.CreateDirectory(Path.Combine(home, "mapwright")).FullName;
            return Path.Combine(folder, BitConverter.ToString(name, 0, 16).Replace("-", "") + ".json");
        }
    }

    static async Task<string> Ask(string address, string body, int tries)
    {
        for (;; tries--)
            using (HttpResponseMessage answer =
                       await http.PostAsync(address, new StringContent(body, Encoding.UTF8, "application/json")))
            {
                string text = await answer.Content.ReadAsStringAsync();
                var wait = answer.Headers.RetryAfter == null ? null : answer.Headers.RetryAfter.Delta;
                if (Busy.Contains((int)answer.StatusCode) && tries > 1)
                    await Task.Delay(wait ?? TimeSpan.FromSeconds(1));
                else if (answer.IsSuccessStatusCode && Read(text) != null)
                    return text;
                else
                    throw new Problem((int)answer.StatusCode + " " + Explain(Read(text)));
            }
    }

    // An object; what is none came from somebody else.
    static JObject Read(string text)
    {
        try
        {
            return JObject.Parse(text);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    static string Explain(JObject said)
    {
        if (said == null)
            return "says something that is not JSON\nis that Mapwright?";
        var lines = (said["errors"] ?? new JArray())
                        .Select(e => (((string)e["pointer"]).TrimStart('/') + ": " + e["detail"]).TrimStart(':', ' '));
        return said["title"] + "\n" + string.Join("\n", lines.DefaultIfEmpty((string)said["detail"]));
    }

    // A letter for each region, area or island, + for a bridge; odd rows of hexagons are shoved.
    static IEnumerable<string> DrawCells(int[][] cells, bool hexagons)
    {
        return cells.Select((row, y) => (hexagons && y % 2 == 1 ? " " : "") + string.Join(" ", row.Select(
            cell => cell == 0 ? "." : cell < 0 ? "+" : ((char)('A' + (cell - 1) % 26)).ToString())));
    }

    // Each star with those that its lanes lead to; a homeworld is marked by @.
    static IEnumerable<string> DrawStars(JToken stars, int[][] lanes)
    {
        var ends = stars.Select(star => new List<int>()).ToArray();
        foreach (int[] lane in lanes)
        {
            ends[lane[0]].Add(lane[1]);
            ends[lane[1]].Add(lane[0]);
        }
        return stars.Select((star, i) => ((bool)star["homeworld"] ? "@ " : "* ") + i + " at " + star["x"] + "," +
                                         star["y"] + ": " + string.Join(" ", ends[i]));
    }

    // What a map is, whatever its kind.
    static IEnumerable<string> Draw(JToken result)
    {
        if (result["stars"] != null)
            return DrawStars(result["stars"], result["lanes"].ToObject<int[][]>());
        if (result["cells"] != null)
            return DrawCells(result["cells"].ToObject<int[][]>(), (string)result["grid"] == "hex");
        var rows = result["grid"].Select(row => (string)row);
        var solution = (result["solution"] ?? new JArray()).Select(row => (string)row);
        return solution.Any() ? rows.Concat(new[] { "" }).Concat(solution) : rows;
    }

    // 60 as a number, true as a truth, hello as a word
    static JToken Value(string text)
    {
        try
        {
            return JToken.Parse(text);
        }
        catch (JsonException)
        {
            return text;
        }
    }

    static int Main(string[] words)
    {
        if (words.Length == 0)
        {
            Console.Error.WriteLine("usage: Map.exe generator [name=value ...]");
            return 2;
        }
        try
        {
            var pairs = words.Skip(1).Select(word => (word + "=").Split(new[] { '=' }, 2));
            var parameters = new JObject(pairs.Select(pair => new JProperty(pair[0], Value(pair[1].TrimEnd('=')))));
            JObject answer = Get(words[0], parameters).GetAwaiter().GetResult();
            Console.WriteLine(answer["self"] + "\n" + string.Join("\n", Draw(answer["result"])));
            return 0;
        }
        catch (Exception problem) when (problem is Problem || problem is HttpRequestException)
        {
            Console.Error.WriteLine("Map.exe: " + problem.Message);
            return 1;
        }
    }
}
