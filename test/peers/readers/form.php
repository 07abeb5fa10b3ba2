<?php
// Says how PHP read a form: the fields and files under the names it gave them. PHP keeps no order across the two.
header('Content-Type: application/json');
$files = [];
foreach ($_FILES as $field => $file) {
    $files[] = [
        'field' => (string) $field,
        'name' => $file['name'],
        'type' => $file['type'],
        'error' => $file['error'],
        'size' => $file['size'],
        'sha256' => $file['error'] === UPLOAD_ERR_OK ? hash_file('sha256', $file['tmp_name']) : null,
    ];
}
$fields = [];
foreach ($_POST as $name => $value) {
    $fields[] = [(string) $name, $value];
}
$body = json_encode(['fields' => $fields, 'files' => $files], JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    file_put_contents(ini_get('upload_tmp_dir') . '/' . basename($_SERVER['PATH_INFO'] ?? $_SERVER['REQUEST_URI']), $body);
} else {
    $kept = ini_get('upload_tmp_dir') . '/' . basename($_SERVER['REQUEST_URI']);
    $body = is_file($kept) ? file_get_contents($kept) : 'null';
}
echo $body;
