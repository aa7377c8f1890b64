BeforeAll { . $PSScriptRoot/Backup.ps1 }

# What users rely on.
Describe 'Start-Backup' {
    It 'copies new files' -Tag Fast {
        Start-Backup -Path a | Should -Be 1
    }

    Context "with a full share" {
        It "stops" { { Start-Backup b } | Should -Throw }
    }
}

function Get-Half {
    if ($a -eq { return 1 }
}
