import { own } from '../../base/json/json.ts';
import { type ClientFacts, cellText, member } from '../common/client.ts';

export const taskClient: ClientFacts = {
  columns: [
    member('ID', 'id'),
    'description',
    member('TYPE', 'type'),
    member('TARGET', 'targetEmail'),
    'created',
    { title: 'STATUS', rank: 2, of: (record) => cellText(own(record, 'status')) },
  ],
  verbs: [
    { verb: 'get-mine', about: 'list your tasks in all orgs', calls: 'GET /task/-forme', run: 'getMyTasks' },
    {
      verb: 'complete',
      about: 'answer a task',
      args: ['<id>'],
      options: [{ flags: '--answer <answer>', about: 'the answer', choices: ['accept', 'reject'], required: true }],
      calls: 'POST /task/{id}',
      run: 'completeTask',
    },
  ],
};
