import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

const identities = (query: string): string => `
data "gantry_identities" "all" {
  gvc = "shop"
  ${query}
}
output "names" { value = data.gantry_identities.all.names }
output "items" { value = data.gantry_identities.all.items[*].name }
`;

const withoutCollection = `
data "gantry_orgs" "all" {}
output "names" { value = data.gantry_orgs.all.names }
`;

describeTerraform('a data source that lists', () => {
  const terraform = useTerraform('data-sources');

  it('has the order of query.sort, within the GVC; without it the order of names', async () => {
    for (const gvc of ['shop', 'other']) await terraform.call('POST', 'gvc', { name: gvc });
    const named = (index: number): string => `id-${String((index * 7) % 30).padStart(2, '0')}`;
    for (let index = 0; index < 30; index += 1) {
      const gvc = index % 10 === 9 ? 'other' : 'shop';
      const body = { name: named(index), tags: { place: index } };
      const { status } = await terraform.call('POST', `gvc/${gvc}/identity`, body);
      expect(status).toBe(201);
    }
    const byPlace = [...Array(30).keys()].filter((index) => index % 10 !== 9).map(named);
    const project = terraform.project('sorted');
    async function listed(query: string): Promise<unknown> {
      project.write(identities(query));
      const applied = await project.run('apply', '-auto-approve', '-no-color');
      expect(applied.code, applied.text).toBe(0);
      const { text } = await project.run('output', '-json');
      const { names, items } = JSON.parse(text);
      expect(items.value).toEqual(names.value);
      return names.value;
    }
    expect(await listed('query {\n sort {\n by = "tags.place"\n }\n }')).toEqual(byPlace);
    expect(await listed('')).toEqual(byPlace.toSorted());
  });

  it("of orgs contains the provider's org, which is in no collection", async () => {
    const project = terraform.project('orgs');
    project.write(withoutCollection);
    const applied = await project.run('apply', '-auto-approve', '-no-color');
    expect(applied.code, applied.text).toBe(0);
    expect(JSON.parse((await project.run('output', '-json', 'names')).text)).toEqual(['local']);
  });
});
