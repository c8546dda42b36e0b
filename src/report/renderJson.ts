import { jsonText } from '../base/json/jsonText.ts';
import type { Report } from './model/report.ts';

/** The same bytes that `-o json` prints. */
export function renderJson({ document }: Report): string {
  return `${jsonText(document)}\n`;
}
