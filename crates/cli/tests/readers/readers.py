"""Reads tables with pyarrow and with the csv module, as a user would, and prints what it finds: a line of JSON for each."""

import csv
import json
import struct
import sys

import pyarrow.parquet


def exact(value):
    """A double by its bits; counts, texts and what is missing as they are."""
    return struct.pack(">d", value).hex() if isinstance(value, float) else value


def of_parquet(path):
    file = pyarrow.parquet.ParquetFile(path)
    table = file.read()
    table.validate(full=True)
    columns = [[exact(value) for value in column.to_pylist()] for column in table.columns]
    ranges = []
    for column in range(len(table.columns)):
        groups = [file.metadata.row_group(group).column(column) for group in range(file.num_row_groups)]
        found = [group.statistics for group in groups if group.statistics and group.statistics.has_min_max]
        least = exact(min(one.min for one in found)) if found else None
        greatest = exact(max(one.max for one in found)) if found else None
        ranges.append([least, greatest])
    facts = {key.decode(): value.decode() for key, value in (file.metadata.metadata or {}).items()}
    facts.pop("ARROW:schema", None)
    types = [str(field.type) for field in table.schema]
    return {"names": table.schema.names, "types": types, "columns": columns, "ranges": ranges, "facts": facts}


READ = {"double": float, "int64": int, "uint64": int, "string": str, "large_string": str}


def of_csv(path, types):
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = list(csv.reader(file, strict=True))

    def entry(text, kind):
        return None if text == "" and kind == "double" else exact(READ[kind](text))

    columns = [[entry(row[at], kind) for row in rows] for at, kind in enumerate(types)]
    return {"names": names, "columns": columns}


for path in sys.argv[1:]:
    found = of_parquet(path + ".parquet")
    try:
        found["csv"] = of_csv(path + ".csv", found["types"])
    except FileNotFoundError:
        found["csv"] = None
    print(json.dumps(found))
