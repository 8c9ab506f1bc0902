"""A note's front matter: find it, read it as YAML, and check its values."""

from kg.notes.frontmatter.figure_syntax import parse_effect as parse_effect
from kg.notes.frontmatter.figure_syntax import parse_p as parse_p
from kg.notes.frontmatter.format_description import format_guide as format_guide
from kg.notes.frontmatter.format_description import front_matter_schema as front_matter_schema
from kg.notes.frontmatter.front_matter import FrontMatter as FrontMatter
from kg.notes.frontmatter.front_matter import fold_key as fold_key
from kg.notes.frontmatter.front_matter import split_front_matter as split_front_matter
from kg.notes.frontmatter.note_fields import GLOSSARY_TYPE as GLOSSARY_TYPE
from kg.notes.frontmatter.note_fields import LINE_TYPE as LINE_TYPE
from kg.notes.frontmatter.note_fields import CalloutFields as CalloutFields
from kg.notes.frontmatter.note_fields import LineFields as LineFields
from kg.notes.frontmatter.note_fields import NoteFields as NoteFields
from kg.notes.frontmatter.note_fields import SourceFields as SourceFields
from kg.notes.frontmatter.note_fields import StatementFields as StatementFields
from kg.notes.frontmatter.note_fields import find_type as find_type
from kg.notes.frontmatter.value_parsers import ORIGIN_KEY as ORIGIN_KEY
from kg.notes.frontmatter.value_parsers import split_figures as split_figures
from kg.notes.frontmatter.yaml import Scalar as Scalar
from kg.notes.frontmatter.yaml import find_scalars as find_scalars
from kg.notes.frontmatter.yaml import offset_of_value as offset_of_value
from kg.notes.frontmatter.yaml import parse_mapping as parse_mapping
from kg.notes.frontmatter.yaml import parse_typed_yaml as parse_typed_yaml
from kg.notes.frontmatter.yaml import render_yaml as render_yaml
from kg.notes.frontmatter.yaml_errors import YamlError as YamlError
