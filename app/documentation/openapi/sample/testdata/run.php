<?php

// Runs scripts one after another; trials.json says which.
error_reporting(E_ALL);
set_error_handler(function ($level, $message) {
    throw new ErrorException($message);
});
$failed = 0;
foreach (json_decode(file_get_contents('trials.json')) as $trial) {
    ob_start();
    try {
        (function ($script) {
            include $script;
        })(getcwd() . '/' . $trial->script);
    } catch (Throwable $error) {
        fwrite(STDERR, "{$trial->script} $error\n");
        $failed = 1;
    }
    ob_end_clean();
}
exit($failed);
