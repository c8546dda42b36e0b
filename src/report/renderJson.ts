import { jsonText } from '../base/json/jsonText.ts';
import type { Report } from './report.ts';

/** The same bytes as `-o json`. */
export function renderJson({ document }: Report): string {
  return `${jsonText(document)}\n`;
}
