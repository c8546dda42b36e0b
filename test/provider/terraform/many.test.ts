import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isObject, type JsonObject, type JsonValue, listAt } from '../../../src/base/json/json.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import type { Project } from '../harness/terraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

/** With `GANTRY_TERRAFORM=all` more than fill a page. */
const count = process.env['GANTRY_TERRAFORM'] === 'all' ? 1_003 : 103;
/** Terraform itself takes minutes to plan a thousand on a busy machine. */
const timeoutMs = count > 1_000 ? 900_000 : 300_000;
const pages = Math.ceil(count / 1_000);
/** How long a list may be used (`src/provider/platform/records.ts`). */
const ageMs = 5_000;
const configuration = (many: number) => `
resource "gantry_group" "all" {
  for_each = toset([for number in range(${many}) : "group-\${number}"])
  name     = each.key
}
`;

describeTerraform('for_each over many resources', () => {
  const terraform = useTerraform('many');

  /** Writes the state as if all had been applied, from the state of one; an apply of all takes Terraform minutes. */
  async function pretendApplied(project: Project): Promise<void> {
    const file = join(project.folder, 'terraform.tfstate');
    const state: JsonValue = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(state)) throw new Error('no state');
    const [resource] = listAt(state, 'resources').filter(isObject);
    const [sample] = listAt(resource ?? {}, 'instances');
    const instances: JsonValue[] = [sample ?? null];
    // A busy machine cannot serve a thousand connections together.
    while (instances.length < count) {
      const from = instances.length;
      const numbers = Array.from({ length: Math.min(50, count - from) }, (_, at) => from + at);
      instances.push(...(await Promise.all(numbers.map((number) => created(number, sample ?? null)))));
    }
    writeFileSync(file, JSON.stringify({ ...state, resources: [{ ...resource, instances }] }));
  }

  async function created(number: number, sample: JsonValue): Promise<JsonValue> {
    const name = `group-${number}`;
    const body = { name, tags: await ownTags() };
    const record: JsonObject = JSON.parse(await (await terraform.call('POST', 'group', body)).text());
    const instance: JsonObject = JSON.parse(JSON.stringify(sample).replaceAll('group-0', name));
    const { id, created: at } = record;
    const attributes = { ...Object(instance['attributes']), id, created: at };
    return { ...instance, attributes };
  }

  let tags: Promise<JsonValue> | undefined;
  function ownTags(): Promise<JsonValue> {
    tags ??= terraform.call('GET', 'group/group-0').then(async (reply) => Object(await reply.json()).tags);
    return tags;
  }

  it(
    'a refresh takes as many requests as there are pages, and -refresh=false takes none',
    async () => {
      const project = terraform.project('many');
      project.write(configuration(1));
      expect(await project.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
      await pretendApplied(project);
      project.write(configuration(count));

      terraform.requests.length = 0;
      const began = performance.now();
      const { code, text } = await project.run('plan', '-detailed-exitcode', '-no-color');
      expect(code, text.slice(-2_000)).toBe(0);
      const lists = 1 + Math.floor((performance.now() - began) / ageMs);
      expect(new Set(terraform.requests.map((each) => each.replace(/\?.*/, '')))).toEqual(
        new Set(['GET /org/local/group']),
      );
      expect(terraform.requests.length).toBeLessThanOrEqual(lists * pages);

      terraform.requests.length = 0;
      expect(await project.run('plan', '-detailed-exitcode', '-refresh=false', '-no-color')).toMatchObject({ code: 0 });
      expect(terraform.requests).toEqual([]);
    },
    timeoutMs,
  );
});
