/** The fault of a text, in words that contain nothing of the text, which may be a secret. */
export interface Fault {
  readonly message: string;
  readonly hint: string;
}

type Row = readonly [reason: RegExp, message: string, hint?: string];

const correct = 'Correct the YAML at this place.';
const spaces = 'Indent with spaces, all entries of one list or object equally far.';

/**
 * The kinds of js-yaml's reasons. Others get a general message: a new version may quote the text. Where one does (the
 * name of a tag or an alias), it quotes a single word: a pattern of one word is bound to the beginning.
 */
const rows: readonly Row[] = [
  [
    /^directive|(?:YAML|TAG) directive|YAML version|previously declared suffix/,
    'this directive (%) is not legal here',
    'Remove the line, or put text that begins with "%" in quotes.',
  ],
  [
    /unknown \w+ tag/,
    'this YAML tag is not supported',
    'Put text that begins with "!" in quotes; write a value without its tag.',
  ],
  [
    /cannot resolve a node/,
    'the value does not fit its YAML tag',
    'Put text that begins with "!" in quotes; write a value without its tag.',
  ],
  [
    /\btag (?:property|suffix|name|handle)\b|verbatim tag/,
    'this is not a YAML tag',
    'Put text that begins with "!" in quotes.',
  ],
  [
    /unidentified alias/,
    'there is no anchor for this alias',
    'Put text that begins with "*" in quotes, or define the anchor before it in the same document.',
  ],
  [/\balias node\b/, 'this is not an alias', 'Put text that begins with "*" in quotes.'],
  [/\banchor (?:property|node)\b/, 'this is not an anchor', 'Put text that begins with "&" in quotes.'],
  [/duplicated mapping key/, 'this key is used twice in one mapping', 'Remove one of the two.'],
  [/complex keys/, 'a key must be a single value', correct],
  [/cannot merge mappings/, '<< takes an object, or a list of objects', correct],
  [/merge sequence size|maxTotalMergeKeys/, '<< takes too many objects', 'Write the values out.'],
  [/nesting exceeded/, 'lists and objects are nested too deep', 'Make the value flatter.'],
  [/\btab characters\b/, 'a tab is used as indentation', 'Indent with spaces.'],
  [/\bindentation width\b|chomping mode/, 'this is not the head of a block of text (| or >)', correct],
  [/\bindentation\b/, 'the indentation does not fit what is above', spaces],
  [
    /missed comma/,
    'a comma is missing between two entries',
    'Put a comma between them, and text with special characters in quotes.',
  ],
  [/expected the node content/, 'a value is missing before this comma', 'Write the value, or remove the comma.'],
  [/within a flow collection/, 'a list or object is not closed', 'Close it with ] or }.'],
  [/within a (?:single|double) quoted/, 'a quoted text is not closed', 'Close it with the quote that it begins with.'],
  [
    /unknown escape|expected hexadecimal/,
    'this escape sequence is not known',
    'Write \\\\ for a backslash, or use single quotes.',
  ],
  [
    /valid JSON character|non-printable|null byte/,
    'there is a control character in the text',
    'Remove it, or write it as an escape in double quotes.',
  ],
  [/a line break is expected/, 'there is text where a line must end', correct],
  [/a whitespace character is expected/, 'a space is missing after the colon', 'Put a space after the colon.'],
  [
    /expected ':'/,
    'there is a line without a colon between key and value',
    'Write KEY: VALUE; put text of several lines in quotes.',
  ],
  [
    /multiline key/,
    'there is a line without a colon between key and value',
    'Write KEY: VALUE; put text of several lines in quotes.',
  ],
  [
    /document separator is expected/,
    'there is more text where the document ends',
    'Put "---" between documents, and text with special characters in quotes.',
  ],
];

const secondColon: Fault = {
  message: 'there is a second colon in this line, and the value is not in quotes',
  hint: 'Put the value in quotes, or the second key in a line of its own.',
};

/** Characters that plain text cannot begin with, although js-yaml reports something else there. */
const reserved = /(?:^|[\s[{,])([@`%?])$/;

function reservedFirst(character: string): Fault {
  return {
    message: `text without quotes cannot begin with ${character}`,
    hint: 'Put it in quotes.',
  };
}

/** Further up it is not looked for. */
const mostLines = 200;

/** The bracket or quotation mark that is open at the end of these lines, and the number of its line. */
function openerAbove(lines: readonly string[]): { readonly mark: string; readonly line: number } {
  // From below: what is further up may be a block of text, in which brackets mean nothing.
  for (let at = lines.length - 1; at >= Math.max(0, lines.length - mostLines); at -= 1) {
    const mark = openMark(lines.slice(at).join('\n'));
    if (mark !== undefined) return { mark, line: at + 1 };
  }
  return { mark: 'bracket or quote', line: Math.max(1, lines.length - 1) };
}

/** Undefined: everything in the text is closed. */
function openMark(text: string): string | undefined {
  const open: string[] = [];
  // Texts in quotes and comments as a whole. A quotation mark within a word is a part of it.
  const marks = /(?<![^\s[{,:])(?:"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|#[^\n]*)|[[\]{}]/gs;
  for (const [found] of text.matchAll(marks)) {
    const [mark = ''] = found;
    if (mark === '[' || mark === '{') open.push(mark);
    else if (mark === ']' || mark === '}') open.pop();
    else if (mark !== '#' && (found.length === 1 || !found.endsWith(mark))) return mark;
  }
  return open.at(-1);
}

/** The words for a reason of js-yaml. `text`: up to the place of the fault, with it. */
export function yamlFault(reason: string, text: string): Fault {
  const line = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  if (/deficient indentation/.test(reason)) {
    const { mark, line: number } = openerAbove(text.slice(0, -1).split(/\r\n?|\n/));
    return {
      message: `the ${mark} on line ${number} is not closed before this line`,
      hint: 'Close it, or indent this line if it belongs to it.',
    };
  }
  if (/indentation of a mapping entry/.test(reason) && /:\s.*:$/.test(line)) return secondColon;
  const [, first] = reserved.exec(line) ?? [];
  if (first !== undefined && /indentation of a mapping entry|missed comma|document separator/.test(reason)) {
    return reservedFirst(first);
  }
  const [, message, hint] = rows.find(([pattern]) => pattern.test(reason)) ?? [];
  return { message: message ?? 'this is not YAML', hint: hint ?? correct };
}
