import type { IConstruct } from 'constructs';
import { Annotations, type Aspect, Gvc, Policy, VolumeSet } from 'gantry';

/** What the platform team asks of every stack of the company. */
export const companyRules: Aspect = {
  visit(node: IConstruct): void {
    if (node instanceof Gvc && !/^(dev|prod)-/.test(node.name)) {
      Annotations.of(node).addError(
        `the GVC "${node.name}" belongs to no environment`,
        'Begin its name with dev- or prod-.',
      );
    }
    if (node instanceof VolumeSet)
      Annotations.of(node).addWarning('volumes are backed up only where they have snapshots');
    if (node instanceof Policy && node.targetKind === 'org') {
      Annotations.of(node).addError('a policy about the org itself is made by the platform team by hand');
    }
  },
};
