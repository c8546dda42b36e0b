/** Fields whose name the rule below would tear apart. */
const irregular: ReadonlyMap<string, string> = new Map([['IPs', 'ips']]);

/** `inboundAllowCIDR` as `inbound_allow_cidr`: lower case, digits and underscores, as Terraform requires. */
export function attributeName(field: string): string {
  return (
    irregular.get(field) ??
    field
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_|_$/g, '')
  );
}

/** Names that mean something to Terraform at the top of a resource. */
export const reservedNames: ReadonlySet<string> = new Set([
  'count',
  'for_each',
  'depends_on',
  'provider',
  'lifecycle',
  'connection',
  'provisioner',
]);

/** The name of a field there instead. */
const insteadOfReserved: ReadonlyMap<string, string> = new Map([['provider', 'cloud_provider']]);

/** The name of a field at the top of a resource. */
export function topLevelName(field: string): string {
  const name = attributeName(field);
  return reservedNames.has(name) ? (insteadOfReserved.get(name) ?? `${name}_value`) : name;
}

/** The text with names of attributes where the schema says names of fields: `minCpu` is `min_cpu`; not in `values`. */
export function inAttributeNames(text: string, values: ReadonlySet<unknown> = new Set()): string {
  return text.replaceAll(/`([A-Za-z]+(?:\.[A-Za-z]+)*)`/g, (quoted, path: string) =>
    /^[a-z]/.test(path) && /[a-z][A-Z]/.test(path) && !values.has(path)
      ? `\`${path.split('.').map(attributeName).join('.')}\``
      : quoted,
  );
}
