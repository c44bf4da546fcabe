"""Small documents of each kind, made for tests."""

from __future__ import annotations

import io
import zipfile

from chats import zipped

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def a_docx(*body: str, head: str = "", notes: str = "", packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Paragraphs as they stand in the XML; one without a mark is plain text."""
    inside = "".join(part if part.startswith("<") else a_paragraph(part) for part in body)
    xml = f'<?xml version="1.0"?>{head}<w:document {W}><w:body>{inside}</w:body></w:document>'
    more = {"word/footnotes.xml": f"<w:footnotes {W}>{a_paragraph(notes)}</w:footnotes>"} if notes else {}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packed) as archive:
        for name, content in {"[Content_Types].xml": "<Types/>", "word/document.xml": xml, **more}.items():
            archive.writestr(name, content)
    return out.getvalue()


def a_paragraph(text: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}<w:r><w:t>{text}</w:t></w:r></w:p>"


def a_pdf(*pages: str, picture: bytes = b"") -> bytes:
    """A page each, of whole lines; `picture`: a JPEG that each shows."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    shows = f"/XObject << /I {4 + 2 * len(pages)} 0 R >> " if picture else ""
    for number, text in enumerate(pages):
        shown = " ".join(f"({line}) Tj T*" for line in text.split("\n"))
        stream = f"BT /F1 12 Tf 72 700 Td 14 TL {shown} ET" if text else ""
        of = f"/Resources << {shows}/Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {of} >>")
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    if picture:
        about = "/Subtype /Image /Width 9 /Height 9 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode"
        written = picture.decode("latin-1")
        objects.append(f"<< /Type /XObject {about} /Length {len(picture)} >>\nstream\n{written}\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    return out + f"{end}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n".encode()


def an_epub(*chapters: str, title: str = "A book") -> bytes:
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    names = 'xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    head = f"<metadata><dc:title>{title}</dc:title></metadata>"
    package = f"<package {names}>{head}<manifest>{items}</manifest><spine>{spine}</spine></package>"
    container = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OEBPS/book.opf": package,
            **{f"OEBPS/c{n}.xhtml": text for n, text in enumerate(chapters)},
        }
    )
