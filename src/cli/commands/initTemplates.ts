/** The templates of `gantry init`: the folders of `templates/`, with descriptions. */
export const templates = {
  service: 'a web service that scales with its requests',
  stateful: 'a database on volumes that grow, with its secret',
  cron: 'a job that runs once a day',
  'multi-env': 'the same service in two environments',
  yaml: 'the web service as plain manifests',
} as const;

export type Template = keyof typeof templates;

export const templateNames: readonly string[] = Object.keys(templates);

export function isTemplate(name: string): name is Template {
  return Object.hasOwn(templates, name);
}
