import { runShare } from './run-share';

runShare(__filename);
