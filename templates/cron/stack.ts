import { App, Stack } from 'gantry';
import { addReport } from './report.ts';

const app = new App();
const stack = new Stack(app, 'sample');
addReport(stack, { image: 'registry.example.com/sample-report:1.0.0', hour: 3 });
