/** An S3-compatible server in a process of its own, which can be killed: `node object-process.ts PORT FOLDER`. */
import S3rver from '@20minutes/s3rver';

const [port, directory = ''] = process.argv.slice(2);
const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  silent: true,
  directory,
  configureBuckets: [{ name: 'docs' }],
});
await server.run();
process.stdout.write('ready\n');
