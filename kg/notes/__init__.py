"""Notes and bibliographies, read one file at a time: no file knows of another here.

    a folder      note_listing      which files there are, without those of ignore_globs
       ▼
    bytes         note_files        read within bounds, decoded
       ▼
    text ┬─ front matter            frontmatter/: YAML, then fields of each type of note
         └─ body                    markdown/: blocks and inline syntax, without comments
              ▼                     body/: what these say: callouts, edges, mentions, files
    ParsedNote    parse_note        both together, by its note_type; by `[map]`, as in mapping/
       ▼
    ParsedBatch   parse_files       many notes; notes_cache keeps them from run to run

`kg.corpus` joins parsed notes to records: only there is known where a link leads. What an author
should mend is found on the way (corrections, note_problems, body.near_misses). bibliography/ reads
`.bib` and `.json` files as sources, and new_note writes notes.
"""
