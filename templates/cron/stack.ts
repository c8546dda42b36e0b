import { App, Gvc, Stack } from 'gantry';
import { addReport } from './report.ts';

const app = new App();
const stack = new Stack(app, 'sample');
const gvc = new Gvc(stack, 'sample', { locations: ['aws-eu-central-1'] });
addReport(gvc, { image: 'registry.example.com/sample-report:1.0.0', hour: 3 });
