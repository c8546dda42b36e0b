import { isAssumption, rows } from '../../src/capabilities/kept.ts';
import { code, table } from './markdown.ts';

/** The assumptions of one group, in the order of the table. `group`: how their ids begin. */
export function assumptionTable(group: string): string {
  const ids = Object.keys(rows)
    .filter(isAssumption)
    .filter((id) => id.startsWith(`${group}.`));
  return table(
    ['Id', 'Assumed', 'Section', 'Evidence', 'Learnt by', 'Otherwise', 'Test'],
    ids.map((id) => {
      const { assumed, section, evidence, learnt, otherwise, test, eachRun = false, needed = false } = rows[id];
      return [
        code(id),
        assumed,
        section,
        evidence,
        `${learnt.replace('-', ' ')}${eachRun === false ? '' : eachRun === true ? ', each run' : ', each run if it holds'}`,
        `${otherwise}${needed ? ' `gantry doctor` exits with 3.' : ''}`,
        test === undefined ? '' : `[${test.split('/').at(-1)}](../../${test})`,
      ];
    }),
  );
}
