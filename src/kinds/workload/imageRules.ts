import { stringAt } from '../../base/json/json.ts';
import { show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { type WorkloadView, workloadView } from './workloadView.ts';

const maxPart = 128;
const ownRegistry = /^\/(?:org\/([^/]+))?\/image\/(.*)$/;

const image: RuleOf<WorkloadView> = {
  id: 'workload.image',
  section: 'workload.images',
  title: 'An image is NAME:TAG, HOST/PATH:TAG, NAME@DIGEST, or a link to an image of the same org.',
  severity: 'error',
  fix: 'Write an image such as registry.example.com/web:1, or //image/NAME:TAG for one of the own registry.',
  record({ containers, context }, report) {
    for (const { value, pointer, label } of containers) {
      const text = stringAt(value, 'image');
      const problem = text === undefined ? undefined : imageProblem(text, context.org);
      if (problem !== undefined)
        report([...pointer, 'image'], `the image ${show(text)} of the container ${label} ${problem}`);
    }
  },
};

function imageProblem(text: string, org: string): string | undefined {
  if (text === '' || /\s/.test(text)) return 'may not be empty or hold white space';
  if (text.split(':').length > 3) return 'may not hold more than two colons';
  if (!text.startsWith('/')) return undefined;

  const link = ownRegistry.exec(text);
  if (link === null) return 'is not a link to an image';
  if (link[1] !== undefined && link[1] !== org) return `may not be one of the org ${show(link[1])}`;
  const [name = '', tag = 'latest'] = (link[2] ?? '').split(':');
  if (name === '' || tag === '') return 'may not have an empty name or tag';
  return name.length > maxPart || tag.length > maxPart
    ? `may not have a name or tag of more than ${maxPart} characters`
    : undefined;
}

export const imageRules = ruleGroup(['workload'], workloadView, [image]);
