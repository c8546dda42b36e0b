import { isObject, own, stringAt } from '../../base/json/json.ts';
import { isMemberKind } from '../../schema/record/kinds.ts';
import { formatRef, lastSegment, parseLink, type Ref } from '../../schema/record/ref.ts';
import { show, textsAt } from '../../schema/rules/reading.ts';
import { type Related, type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';
import { checkQueryKind } from '../common/expressions.ts';

const members: RuleOf<Subject> = {
  id: 'GR1',
  section: 'group.members',
  title: 'The members of a group are users and service accounts.',
  severity: 'error',
  fix: 'Write //user/EMAIL or //serviceaccount/NAME.',
  record({ record, context }, report) {
    for (const { index, value } of textsAt(record, 'memberLinks')) {
      const kind = parseLink(value, context)?.ref.kind;
      if (kind === undefined || !isMemberKind(kind)) {
        report(['memberLinks', index], `${show(value)} is not a link to a user or service account`);
      }
    }
  },
};

const membersExist: RuleOf<Subject> = {
  id: 'GR3',
  section: 'group.members',
  title: 'The members of a group exist.',
  severity: 'error',
  fix: 'Invite the user or create the service account first.',
  related({ record, context }, related, report) {
    for (const { index, value } of textsAt(record, 'memberLinks')) {
      const ref = parseLink(value, context)?.ref;
      if (ref === undefined || !isMemberKind(ref.kind) || related.get(ref) !== undefined) continue;
      if (ref.kind === 'user' && isKnownUser(ref, related)) continue;
      report(['memberLinks', index], `${formatRef(ref)} does not exist`);
    }
  },
};

/** Links name a user by e-mail or by id (GR2). */
function isKnownUser(ref: Ref, related: Related): boolean {
  return related
    .list('user')
    .some(({ record }) => ['id', 'email', 'name'].some((key) => stringAt(record, key) === lastSegment(ref.name)));
}

const queryKind: RuleOf<Subject> = {
  id: 'group.query-kind',
  section: 'group.members',
  title: 'The member query of a group is about users.',
  severity: 'error',
  fix: 'Set kind to user, or leave it out.',
  record({ record }, report) {
    const query = own(record, 'memberQuery');
    if (isObject(query)) checkQueryKind(query, 'user', ['memberQuery'], report);
  },
};

export const groupRules = recordRules(['group'], [members, membersExist, queryKind]);
