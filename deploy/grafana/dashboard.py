#!/usr/bin/python3
"""Writes mapwright.json, a dashboard for Grafana 9 or later, on Prometheus:

    deploy/grafana/dashboard.py >deploy/grafana/mapwright.json

A panel is a row of the table: title, unit, sentence, queries with their legends. $of stands for the
series that were chosen on top; a rate is over Grafana's own interval.
"""
import json

WIDTH, HEIGHT = 8, 8


def rate(name, by="", where=""):
    series = f"rate(mapwright_{name}{{{where}{',' if where else ''}$of}}[$__rate_interval])"
    return f"sum by ({by}) ({series})" if by else f"sum ({series})"


def gauge(name, by="", where=""):
    series = f"mapwright_{name}{{{where}{',' if where else ''}$of}}"
    return f"sum by ({by}) ({series})" if by else f"sum ({series})"


def quantile(q, name, by, where=""):
    return f"histogram_quantile({q}, {rate(name + '_bucket', 'le, ' + by, where)})"


def quantiles(name, by, legend, where=""):
    return [(quantile(q, name, by, where), f"{legend} p{int(q * 100)}") for q in (0.5, 0.95, 0.99)]


MAPS = 'generator!="none"'

ROWS = {
    "Is it well": [
        ("Requests", "reqps", "By status; 499 is a client that left before its answer.",
         [(rate("requests_total", "status"), "{{status}}")]),
        ("Requests by route", "reqps", "Generators by their path; `other` is what has no route.",
         [(rate("requests_total", "route"), "{{route}}")]),
        ("Refusals", "reqps", "Problems answered, by the end of their type: /problems/{reason}.",
         [(rate("refusals_total", "reason") + " > 0", "{{reason}}")]),
        ("Time to answer", "s", "From a request's first line to its answer taken, hits and all.",
         quantiles("request_duration_seconds", "generator", "{{generator}}", MAPS)),
        ("Time by phase", "s", "95 of 100 runs took less: to ask the store, to wait for a worker, to be "
         "made, to be encoded; and answers to be sent.",
         [(quantile(0.95, "phase_seconds", "phase", MAPS), "{{phase}}")]),
        ("Requests by format", "reqps", "How maps are written down; `none`: before that was known.",
         [(rate("requests_total", "format"), "{{format}}")]),
    ],
    "Work": [
        ("Workers", "short", "Busy all the time, with a queue: the machine is full.",
         [(gauge("workers_busy", "lane"), "busy, {{lane}}"), (gauge("workers"), "there are"),
          (gauge("queue_length", "lane"), "waiting, {{lane}}"),
          (gauge("operations"), "nobody waits for")]),
        ("Runs", "ops", "Made; refused, as no map satisfies the request; stopped by the clock or as "
         "nobody waited any more; again, as they outgrew what was expected.",
         [(rate("maps_total", "outcome"), "{{outcome}}"), (rate("runs_again_total"), "again"),
          (rate("crashes_total", "generator") + " > 0", "crashed: {{generator}}"),
          (rate("kills_total"), "killed")]),
        ("Worker time by generator", "s", "Seconds of workers in each second.",
         [(rate("phase_seconds_sum", "generator", 'phase=~"make|encode",' + MAPS),
           "{{generator}}")]),
    ],
    "Memory": [
        ("Bytes held", "bytes", "The cache is full in good health; the others are full in need.",
         [(gauge("held_bytes", "by"), "{{by}}"),
          (gauge("held_limit_bytes", "by"), "{{by}}, at most")]),
        ("Resident memory", "bytes", "Of the process, as the kernel counts.",
         [("sum by (instance) (process_resident_memory_bytes{$of})", "{{instance}}")]),
        ("Cache hits", "percentunit", "Of maps asked for: kept already, or being made for another.",
         [(rate("cache_claims_total", "", 'result!="miss"') + " / " + rate("cache_claims_total"),
           "hits")]),
        ("Cache", "short", "Answers kept, and dropped in each second.",
         [(gauge("cache_entries"), "kept"), (rate("cache_evictions_total"), "dropped")]),
    ],
    "The store": [
        ("Store questions", "ops", "Dear maps that the store was asked for. `unanswered`: not in time; `wrong`: "
         "it had something else, and the map was made.",
         [(rate("store_questions_total", "result"), "{{result}}")]),
        ("Store writes", "ops", "Maps and addresses. `refused`: it is full; `dropped`: it was not there, or "
         "did not keep up.", [(rate("store_writes_total", "outcome"), "{{outcome}}")]),
        ("Store there", "short", "Copies that ask it, and times that one gave it up.",
         [(gauge("store_open"), "ask it"), (rate("store_breaks_total"), "give it up")]),
    ],
    "Connections and process": [
        ("Connections", "short", "Open, and accepted in each second.",
         [(gauge("connections_open"), "open"), (rate("connections_total"), "accepted")]),
        ("Clients that did not stay", "ops", "Left before the answer, past a time limit, or not "
         "reading.",
         [(rate("clients_left_total"), "left"), (rate("connections_overdue_total"), "overdue"),
          (rate("answers_unread_total"), "unread")]),
        ("Bytes sent", "Bps", "Of bodies.", [(rate("response_body_bytes_total"), "sent")]),
        ("CPU", "short", "Cores, by instance.",
         [("sum by (instance) (rate(process_cpu_seconds_total{$of}[$__rate_interval]))",
           "{{instance}}")]),
        ("Descriptors", "short", "Open, and how many may be.",
         [("sum (process_open_fds{$of})", "open"), ("sum (process_max_fds{$of})", "at most")]),
        ("Log lines lost", "ops", "Nobody took them in time.", [(rate("log_lines_lost_total"), "lost")]),
    ],
}

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}


def panel(number, x, y, title, unit, sentence, queries):
    targets = [{"refId": chr(ord("A") + i), "datasource": DATASOURCE, "legendFormat": legend,
                "expr": expr.replace("$of", 'job=~"$job",instance=~"$instance"')}
               for i, (expr, legend) in enumerate(queries)]
    return {"id": number, "type": "timeseries", "title": title, "description": sentence,
            "datasource": DATASOURCE, "gridPos": {"x": x, "y": y, "w": WIDTH, "h": HEIGHT},
            "fieldConfig": {"defaults": {"unit": unit, "min": 0,
                                         "custom": {"fillOpacity": 10, "showPoints": "never"}},
                            "overrides": []},
            "options": {"legend": {"displayMode": "list", "placement": "bottom"},
                        "tooltip": {"mode": "multi", "sort": "desc"}},
            "targets": targets}


def panels():
    number, y = 1, 0
    for name, row in ROWS.items():
        yield {"id": number, "type": "row", "title": name, "collapsed": False, "panels": [],
               "gridPos": {"x": 0, "y": y, "w": 3 * WIDTH, "h": 1}}
        number, y = number + 1, y + 1
        for i, content in enumerate(row):
            yield panel(number, i % 3 * WIDTH, y + i // 3 * HEIGHT, *content)
            number += 1
        y += (len(row) + 2) // 3 * HEIGHT


def variable(name, query):
    return {"name": name, "type": "query", "datasource": DATASOURCE, "refresh": 2, "sort": 1,
            "definition": query, "query": {"query": query, "refId": name}, "includeAll": True,
            "multi": True, "allValue": ".*", "current": {"text": ["All"], "value": ["$__all"]}}


DASHBOARD = {
    "uid": "mapwright", "title": "Mapwright", "tags": ["mapwright"], "schemaVersion": 37,
    "editable": True, "refresh": "30s", "time": {"from": "now-3h", "to": "now"}, "timezone": "",
    "templating": {"list": [
        {"name": "datasource", "type": "datasource", "query": "prometheus"},
        variable("job", "label_values(mapwright_build_info, job)"),
        variable("instance", 'label_values(mapwright_build_info{job=~"$job"}, instance)'),
    ]},
    "annotations": {"list": [
        {"name": "starts", "datasource": DATASOURCE, "enable": True, "iconColor": "blue",
         "expr": 'changes(process_start_time_seconds{job=~"$job",instance=~"$instance"}[1m]) > 0',
         "titleFormat": "started", "textFormat": "{{instance}}"}]},
    "panels": list(panels()),
}

if __name__ == "__main__":
    print(json.dumps(DASHBOARD, indent=1))
