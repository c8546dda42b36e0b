import type { ResultForm } from '../../kinds/common/client.ts';
import type { OutputFormat } from '../../terminal/answer/answer.ts';

/** The formats of results of commands on single resources. */
export const clientFormats = ['text', 'json', 'yaml', 'json-slim', 'yaml-slim', 'tf', 'crd', 'names'] as const;
export type ClientFormat = (typeof clientFormats)[number];

/** The formats of `-o`: `wide` is text with all columns of its tables. */
export const writtenFormats = [...clientFormats, 'wide'] as const;

const documents = ['text', 'json', 'yaml', 'json-slim', 'yaml-slim'] as const;

/** The formats that a result can be shown in, by what it is. */
export const formatsOfResult = {
  /** Records of the platform, which its exporters know. */
  records: clientFormats,
  /** Items with names that the command puts together, or what it did to them. */
  items: [...documents, 'names'],
  /** Anything else. */
  document: documents,
} as const satisfies Readonly<Record<ResultForm, readonly ClientFormat[]>>;

/** Whose words records are printed in. */
export const wordings = ['neutral', 'platform'] as const;
export type Wording = (typeof wordings)[number];

/** The formats that a record can have in the platform's words: those that other clients of the platform read. */
export const wordedFormats: readonly ClientFormat[] = ['json', 'yaml', 'json-slim', 'yaml-slim', 'crd'];

/** How times are shown in tables. */
export const timeForms = ['iso', 'local', 'age'] as const;
export type TimeForm = (typeof timeForms)[number];

/** Whether a result is a document for programs, and in which language. */
export function documentFormat(format: ClientFormat): OutputFormat {
  if (format === 'json' || format === 'json-slim') return 'json';
  return format === 'yaml' || format === 'yaml-slim' ? 'yaml' : 'text';
}

export function isSlim(format: ClientFormat): boolean {
  return format === 'json-slim' || format === 'yaml-slim';
}
