import { formNamed, formOfFile, type ReportForm, reportForms } from '../../report/forms.ts';
import { UsageError } from '../line/usageError.ts';

/** Where one report goes, and how it is told. */
export interface Target {
  readonly form: ReportForm;
  /** As it was given. */
  readonly file: string;
}

/** `FILE`, or `FORM:FILE`. Errors: `cli.usage`. */
export function parseTarget(text: string): Target {
  const [, prefix, rest = ''] = /^([A-Za-z][\w-]+):(.*)$/s.exec(text) ?? [];
  const file = prefix === undefined ? text : rest;
  if (file === '' || file === '-') throw new UsageError(`--report ${text} names no file`, 'Give it as --report FILE.');
  if (prefix === undefined) return { form: formOfFile(file) ?? unknownEnding(file), file };
  return { form: formNamed(prefix) ?? unknownForm(prefix, text), file };
}

function unknownEnding(file: string): never {
  const endings = reportForms.flatMap((form) => form.endings).join(', ');
  throw new UsageError(
    `--report ${file}: its name does not say which form the report has`,
    `Let it end with one of ${endings}; or name the form, as in --report ${reportForms[0]?.name}:${file}.`,
  );
}

function unknownForm(prefix: string, text: string): never {
  throw new UsageError(
    `--report ${text}: there is no form ${prefix}`,
    `The forms are ${reportForms.map(({ name }) => name).join(', ')}. A file with a colon in its name: --report ./${text}.`,
  );
}
