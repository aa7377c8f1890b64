<html>
<?php namespace Shop\Pages {
    const TITLE = 'Shop';

    // The head of each page.
    function head(string $title): string
    {
        return strtoupper($title);
    }
} ?>
<p>Welcome</p>
<?php
function broken( {
