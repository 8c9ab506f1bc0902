"""The content of a body: callouts, edges, mentions, files; and what only looks like one of
these.
"""

from kg.notes.body.body_parts import BLANK_LINE_GAPS as BLANK_LINE_GAPS
from kg.notes.body.body_parts import CALLOUTS as CALLOUTS
from kg.notes.body.body_parts import QUOTING_CALLOUTS as QUOTING_CALLOUTS
from kg.notes.body.body_parts import Body as Body
from kg.notes.body.body_parts import BodyPart as BodyPart
from kg.notes.body.body_parts import Quotes as Quotes
from kg.notes.body.body_reader import read_body as read_body
from kg.notes.body.file_links import AttachmentFinder as AttachmentFinder
from kg.notes.body.file_links import is_remote as is_remote
from kg.notes.body.file_links import list_attachments as list_attachments
from kg.notes.body.file_links import may_go_with_site as may_go_with_site
from kg.notes.body.file_links import split_size as split_size
from kg.notes.body.headings import Headings as Headings
from kg.notes.body.headings import read_headings as read_headings
from kg.notes.body.relation_items import EDGE_FIELDS as EDGE_FIELDS
from kg.notes.body.relation_items import RELATION as RELATION
from kg.notes.body.relation_items import WITH as WITH
from kg.notes.body.relation_items import ListItem as ListItem
from kg.notes.body.relation_items import find_item as find_item
from kg.notes.body.relation_items import find_relation as find_relation
from kg.notes.body.relation_items import find_with_fields as find_with_fields
from kg.notes.body.relation_items import gap_before_relation as gap_before_relation
