"""Croissant: a descriptor of data sets for machine learning, as http://mlcommons.org/croissant/1.0 defines it."""

from __future__ import annotations

from typing import Any

from webapp.lab.dictionary.data_package import DataSet, TableFile
from worker.fields import Field

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
TYPES = {
    "int64": "sc:Integer",
    "double": "sc:Float",
    "bool": "sc:Boolean",
    "string": "sc:Text",
    "timestamp": "sc:DateTime",
    "json": "sc:Text",
}
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
ARCHIVE = "archive"


def descriptor(data: DataSet) -> dict[str, Any]:
    """The content of ``croissant.json``, beside the files. A data set whose files have no checksum is a live one."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": data.name,
        "alternateName": data.title,
        "description": data.description,
        "conformsTo": CONFORMS_TO,
        "url": data.url,
        "version": data.version,
        "datePublished": data.created,
        "citeAs": data.bibtex,
        "creator": {"@type": "sc:Organization", "name": "Meeple Lab"},
        **({} if all(file.sha256 for file in data.files) else {"isLiveDataset": True}),
        "distribution": [_file(file) for file in data.files],
        "recordSet": [_records(file) for file in _one_a_table(data)],
    }


def in_archive(found: dict[str, Any], archive: tuple[str, int, str], url: str) -> dict[str, Any]:
    """The same for who has an archive that holds the files. archive: address, bytes, SHA-256; url: of its page."""
    address, size, sha256 = archive
    whole = {
        "@type": "cr:FileObject",
        "@id": ARCHIVE,
        "name": ARCHIVE,
        "contentUrl": address,
        "contentSize": f"{size} B",
        "encodingFormat": "application/zip",
        "sha256": sha256,
    }
    files = [file | {"containedIn": {"@id": ARCHIVE}} for file in found["distribution"]]
    return found | {"url": url, "distribution": [whole, *files]}


def _one_a_table(data: DataSet) -> list[TableFile]:
    """Of each table the file that is read quickest: Parquet before CSV; JSON lines have values of other types."""
    chosen: dict[str, TableFile] = {}
    for file in data.files:
        if file.format_id == "parquet" or (file.format_id == "csv" and file.table.id not in chosen):
            chosen[file.table.id] = file
    return list(chosen.values())


def _file(file: TableFile) -> dict[str, Any]:
    known = {"contentSize": f"{file.size} B"} if file.size is not None else {}
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "description": file.table.about,
        "contentUrl": file.path,
        **known,
        "encodingFormat": file.media_type if file.format_id != "parquet" else "application/x-parquet",
        **({"sha256": file.sha256} if file.sha256 else {}),
    }


def _records(file: TableFile) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": file.table.id,
        "name": file.table.id,
        "description": file.table.about,
        "key": [{"@id": f"{file.table.id}/{name}"} for name in file.table.key],
        "field": [_field(file, name, about) for name, about in file.columns.items()],
    }


def _field(file: TableFile, name: str, about: Field) -> dict[str, Any]:
    unit = f" Unit: {about.unit}." if about.unit else ""
    return {
        "@type": "cr:Field",
        "@id": f"{file.table.id}/{name}",
        "name": name,
        "description": f"{about.meaning}{unit}",
        "dataType": TYPES[about.kind],
        "source": {"fileObject": {"@id": file.name}, "extract": {"column": name}},
    }
