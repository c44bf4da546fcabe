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
    Format(chatgpt.NAME, chatgpt.fits, chatgpt.read),
    Format(claude.NAME, claude.fits, claude.read),
    Format(claude.PROJECTS, claude.fits_projects, claude.read_projects),
    Format(gemini.SESSION, gemini.fits, gemini.read),
    Format(gemini.ACTIVITY, gemini.fits_activity, gemini.read_activity),
    Format(telegram.NAME, telegram.fits, telegram.read, between_people=True, own_names=telegram.own_names),
    Format(discord.NAME, discord.fits, discord.read, between_people=True),
    Format(discord.PACKAGE, discord.fits_package, discord.read_package),
    Format(slack.NAME, slack.fits, slack.read, between_people=True),
    Format(slack.LISTS, slack.fits_lists, slack.read_lists),
    Format(instagram.NAME, instagram.fits, instagram.read, between_people=True),
    Format(memories.MEM0, memories.fits_mem0, memories.read_mem0),
    Format(memories.LETTA, memories.fits_letta, memories.read_letta),
    Format(memories.GRAPH, memories.fits_graph, memories.read_graph),
    Format(plain.NAME, plain.fits, plain.read),
    Format(whatsapp.SIGNAL, whatsapp.fits_signal, whatsapp.read, between_people=True, own_names=whatsapp.own_names),
    Format(whatsapp.NAME, whatsapp.fits, whatsapp.read, between_people=True, own_names=whatsapp.own_names),
    Format(media.VOICE, media.is_recording, media.read_alone, parts=DOCUMENT),
    Format(media.IMAGE, media.is_picture, media.read_alone, parts=DOCUMENT),
    Format(packed.PDF, begins(r"\s{0,1000}%PDF-"), reading(packed.read_pdf), parts=DOCUMENT),
    Format(packed.DOCX, packs(packed.WORDS_OF_DOCX), reading(packed.read_docx), parts=DOCUMENT),
    Format(packed.EPUB, packs(packed.PARTS_OF_EPUB), reading(packed.read_epub), parts=DOCUMENT),
    Format(cards.CALENDAR, begins(rf"{MARK}BEGIN:VCALENDAR"), cards.read_calendar, parts=("calendars", "events")),
    Format(cards.CONTACTS, begins(rf"{MARK}BEGIN:VCARD"), cards.read_contacts, parts=("items", "items")),
    Format(mail.MAIL, mail.fits, mail.read_mail, parts=("emails", "passages")),
    Format(text.HTML, ends(".html", ".htm", ".xhtml"), reading(text.read_html), parts=DOCUMENT),
    Format(text.MARKDOWN, ends(".md", ".markdown"), reading(text.read_markdown), parts=DOCUMENT),
    Format(text.TEXT, ends(".txt", ".text"), reading(text.read_text), parts=DOCUMENT),
)
"""In the order they are tried."""
