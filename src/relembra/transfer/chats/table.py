"""The table of formats. A further one is a module that tells its files from others and reads them, and a row here."""

from __future__ import annotations

from relembra.transfer.chats import (
    DOCUMENT,
    Format,
    chatgpt,
    claude,
    discord,
    gemini,
    instagram,
    memories,
    plain,
    slack,
    telegram,
    whatsapp,
)
from relembra.transfer.documents import begins, cards, ends, mail, media, packed, packs, reading, text

MARK = r"(?:\xef\xbb\xbf)?"  # of UTF-8

FORMATS = (
    Format("chatgpt", chatgpt.fits, chatgpt.read),
    Format("claude", claude.fits, claude.read),
    Format("claude_projects", claude.fits_projects, claude.read_projects),
    Format("gemini", gemini.fits, gemini.read),
    Format("gemini_takeout", gemini.fits_activity, gemini.read_activity),
    Format("telegram", telegram.fits, telegram.read, between_people=True, own_names=telegram.own_names),
    Format("discord", discord.fits, discord.read, between_people=True),
    Format("discord_package", discord.fits_package, discord.read_package),
    Format("slack", slack.fits, slack.read, between_people=True),
    Format("slack_lists", slack.fits_lists, slack.read_lists),
    Format("instagram", instagram.fits, instagram.read, between_people=True),
    Format("mem0", memories.fits_mem0, memories.read_mem0),
    Format("letta", memories.fits_letta, memories.read_letta),
    Format("mcp_graph", memories.fits_graph, memories.read_graph),
    Format("jsonl", plain.fits, plain.read),
    Format(
        "signal",
        whatsapp.fits_signal,
        whatsapp.read,
        between_people=True,
        own_names=whatsapp.own_names,
        wall_clock=True,
    ),
    Format(
        "whatsapp", whatsapp.fits, whatsapp.read, between_people=True, own_names=whatsapp.own_names, wall_clock=True
    ),
    Format("voice", media.is_recording, media.read_alone, parts=DOCUMENT, comes_along=True),
    Format("image", media.is_picture, media.read_alone, parts=DOCUMENT, comes_along=True),
    Format("pdf", begins(r"\s{0,1000}%PDF-"), reading(packed.read_pdf), parts=DOCUMENT),
    Format("docx", packs(packed.WORDS_OF_DOCX), reading(packed.read_docx), parts=DOCUMENT),
    Format("epub", packs(packed.PARTS_OF_EPUB), reading(packed.read_epub), parts=DOCUMENT),
    Format("ics", begins(rf"{MARK}BEGIN:VCALENDAR"), cards.read_calendar, parts=("calendars", "events")),
    Format("vcf", begins(rf"{MARK}BEGIN:VCARD"), cards.read_contacts, parts=("items", "items")),
    Format("email", mail.fits, mail.read_mail, parts=("emails", "passages")),
    Format("html", ends(".html", ".htm", ".xhtml"), reading(text.read_html), parts=DOCUMENT, comes_along=True),
    Format("markdown", ends(".md", ".markdown"), reading(text.read_markdown), parts=DOCUMENT),
    Format("text", ends(".txt", ".text"), reading(text.read_text), parts=DOCUMENT),
)
"""In the order they are tried."""
